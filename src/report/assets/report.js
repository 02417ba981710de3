// Conveniences only; the page can be read without.
(function () {
  'use strict';
  // A link into something folded unfolds it.
  function unfold() {
    var at = location.hash && document.getElementById(location.hash.slice(1));
    for (var e = at; e; e = e.parentElement)
      if (e.tagName === 'DETAILS')
        e.open = true;
    if (at)
      at.scrollIntoView();
  }
  addEventListener('hashchange', unfold);
  unfold();
  // Paper shows all.
  addEventListener('beforeprint', function () {
    document.querySelectorAll('details').forEach(function (d) { d.open = true; });
  });
  document.querySelectorAll('.cmd').forEach(function (c) {
    var button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'copy';
    button.addEventListener('click', function () {
      navigator.clipboard.writeText(c.querySelector('code').textContent).then(
        function () { button.textContent = 'copied'; },
        function () { button.textContent = 'not allowed'; });
    });
    if (navigator.clipboard)
      c.appendChild(button);
  });
  // The history: narrowed to a stretch of time, to a lane; what stands under the pointer is said.
  var lanes = document.querySelector('.lanes'), rows = document.querySelectorAll('.history tbody tr');
  if (!lanes || !rows.length)
    return;
  var svg = lanes.querySelector('svg'), ticks = lanes.querySelectorAll('.ticks span');
  var all = [+lanes.dataset.t0, +lanes.dataset.t1], now = all.slice(), lane = '';
  var tools = document.createElement('div'), said = document.createElement('output'), chosen = document.createElement('select');
  tools.className = 'tools';
  function text(ms, i) {
    var days = now[1] - now[0] >= 86400000, near = now[1] - now[0] < 10000;
    if (lanes.dataset.boot === '1')
      return 'boot+' + (ms / 1000).toFixed(3);
    return new Date(ms).toISOString().replace('T', ' ').slice(i ? (days ? 5 : 11) : 0, i && days ? 16 : near ? 23 : 19);
  }
  function show() {
    var span = all[1] - all[0], height = svg.viewBox.baseVal.height, seen = 0;
    svg.setAttribute('viewBox', [1000 * (now[0] - all[0]) / span - 5 * (now[1] - now[0]) / span, 0, 1010 * (now[1] - now[0]) / span, height].join(' '));
    ticks.forEach(function (t, i) { t.textContent = text(now[0] + (now[1] - now[0]) / (ticks.length - 1) * i, i); });
    rows.forEach(function (r) {
      var t = +r.dataset.t, u = +(r.dataset.u || r.dataset.t), whole = now[0] === all[0] && now[1] === all[1];
      r.hidden = (lane !== '' && r.dataset.lane !== lane) || !(whole || ('t' in r.dataset && u >= now[0] && t <= now[1]));
      seen += !r.hidden;
    });
    svg.querySelectorAll('[data-i]').forEach(function (m) {
      m.style.display = lane !== '' && rows[+m.dataset.i].dataset.lane !== lane ? 'none' : '';
    });
    said.textContent = seen + ' of ' + rows.length + ' rows';
  }
  function move(from, by) {
    var mid = now[0] + (now[1] - now[0]) * from, half = Math.max((now[1] - now[0]) * by / 2, 1);
    now = [Math.max(all[0], mid - half), Math.min(all[1], mid + half)];
    show();
  }
  [['earlier', 0, 1], ['later', 1, 1], ['closer', 0.5, 0.5], ['wider', 0.5, 2]].forEach(function (b) {
    var button = document.createElement('button');
    button.type = 'button';
    button.textContent = b[0];
    button.addEventListener('click', function () { move(b[1], b[2]); });
    tools.appendChild(button);
  });
  chosen.setAttribute('aria-label', 'rows of');
  [['', 'all']].concat(Array.from(lanes.querySelectorAll('li'), function (l, i) { return [String(i), l.textContent]; }))
    .forEach(function (o) { chosen.add(new Option(o[1], o[0])); });
  chosen.addEventListener('change', function () { lane = chosen.value; show(); });
  tools.appendChild(chosen);
  tools.appendChild(said);
  lanes.parentNode.insertBefore(tools, lanes);
  // A double click looks closer there; the wheel is for the page.
  svg.addEventListener('dblclick', function (e) {
    var box = svg.getBoundingClientRect();
    move((e.clientX - box.left) / box.width, 0.25);
  });
  svg.addEventListener('mousemove', function (e) {
    var box = svg.getBoundingClientRect(), best = null, near = 12;
    svg.querySelectorAll('[data-i]').forEach(function (m) {
      var r = m.getBoundingClientRect();
      var dx = Math.max(r.left - e.clientX, 0, e.clientX - r.right), dy = Math.max(r.top - e.clientY, 0, e.clientY - r.bottom);
      m.classList.remove('at');
      if (box.width && dx + dy < near) {
        near = dx + dy;
        best = m;
      }
    });
    if (!best)
      return;
    best.classList.add('at');
    said.textContent = Array.from(rows[+best.dataset.i].cells, function (c) { return c.textContent; }).filter(function (c) { return c && c !== '-'; }).join(' \u00b7 ').slice(0, 300);
  });
  show();
})();
