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
})();
