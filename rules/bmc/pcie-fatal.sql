-- id:       bmc.pcie-fatal
-- title:    The BMC logged a fatal PCIe error
-- scope:    bundle
-- severity: critical
-- symptom:  crash
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   pcie.ports
-- needs:    log.bmc.pcie_fatal
-- reads:    event.bmc.pcie_fatal
-- params:   recent_d=30
-- explains: xid.fallen-off-bus overlap host; xid.fallen-off-bus +180 host; host.unclean-stop +300 host; pcie.not-answering any host; driver.gpu-unresponsive any host;
--           bmc.power-cycled +300 host
-- summary:  BMC: {said}{place}{more}{clock}
-- meaning:  A transfer on PCI Express failed in a way that cannot be mended. The machine often resets at once, and its own log has no line of it. Evidence
--           points at card, slot, riser, switch or power of that place, not at driver or program.
-- action:   power_cycle
-- remedy:   Drain the node, power off fully, reseat the card of that place and its riser or cables. If it comes back, swap the card with one of another slot:
--           that tells card from slot.
-- falsepositives: Correctable errors, which are another kind of record; records of weeks ago (info).
-- refs:     IPMI 2.0 table 42-3, Critical Interrupt; Dell PCI1318; HPE IML Uncorrectable PCI Express Error; recent_d: practice
WITH rec AS (
  SELECT b.*, b.age_us > coalesce(:recent_d, 30) * 86400000000 AS old, lower(b.said) AS words FROM bmc b WHERE b.kind = 'bmc.pcie_fatal' AND NOT b.recovered
),
placed AS (
  SELECT r.*, substr(a.value, 5) AS bdf FROM rec r LEFT JOIN event_attr a ON a.event_id = r.id AND a.name = 'address'
),
owned AS (
  SELECT p.*, (SELECT min(g.id) FROM gpu g WHERE g.host_id = p.host_id AND (substr(g.bdf, 5) = p.bdf OR instr(p.words, substr(g.bdf, 6)))) AS gpu_id FROM placed p
),
told AS (
  SELECT o.*, min(o.bdf) OVER w AS bdf0, max(o.bdf) OVER w AS bdf1,
   count(*) OVER (PARTITION BY o.host_id, o.old) AS all_n
  FROM owned o WINDOW w AS (PARTITION BY o.host_id, o.t_quality, o.spell)
)
SELECT t.host_id AS host_id, t.gpu_id AS gpu_id, t.t_us AS t0_us, t.t_us AS t1_us, 0.95 AS confidence, json_array(t.line_id) AS evidence,
 CASE WHEN t.old THEN 'before' ELSE t.t_quality || ' ' || t.spell END AS grp,
 CASE WHEN t.old THEN 'info' END AS severity, CASE WHEN t.old THEN 'history' END AS state, CASE WHEN t.old THEN 'watch' END AS action,
 t.said AS said, CASE WHEN t.bdf0 IS NULL THEN '' WHEN t.bdf0 <> t.bdf1 THEN '; several addresses' ELSE ' (' || substr(t.bdf0, 2) || ')' END AS place,
 CASE WHEN t.old AND t.all_n > 1 THEN printf(' and %d more such records, long before the collection', t.all_n - 1) WHEN t.old THEN ', long before the collection'
  WHEN t.n > 1 THEN printf(', %d records', t.n) ELSE '' END AS more,
 CASE WHEN t.t_us IS NOT NULL AND t.t_quality NOT IN ('exact', 'aligned') THEN ' (by the BMC''s own clock, which nothing ties to the host''s)' ELSE '' END AS clock
FROM told t WHERE t.nth <= 40
