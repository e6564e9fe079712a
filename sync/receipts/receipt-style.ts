/** The look of a receipt's HTML, on screen and on paper: its size and colours are those of what is around it. */
export const receiptStyle = `
.receipt { overflow-wrap: anywhere; line-height: 1.35; font-variant-numeric: tabular-nums; }
.receipt h1 { font-size: 1.25em; line-height: 1.2; margin: 0 0 .2em; text-align: center; }
.receipt p { margin: 0; white-space: pre-line; }
.receipt .receipt-center { text-align: center; }
.receipt .receipt-mark { margin: .3em 0; border: 1px solid; text-align: center; font-weight: 700; }
.receipt hr { margin: .5em 0; border: 0; border-top: 1px dashed; }
.receipt-row { display: flex; justify-content: space-between; gap: .8em; break-inside: avoid; }
.receipt-row > :last-child { white-space: nowrap; text-align: right; }
.receipt-pair { flex-wrap: wrap; }
.receipt-pair > :last-child { margin-left: auto; }
.receipt-each { white-space: nowrap; }
.receipt-note { padding-left: 1em; }
.receipt-total { font-size: 1.25em; font-weight: 700; }
.receipt-logo { display: block; max-width: 60%; max-height: 24mm; margin: 0 auto .4em; filter: grayscale(1); }
.receipt-qr { margin-top: .6em; text-align: center; break-inside: avoid; }
.receipt-qr svg { display: block; width: 26mm; height: 26mm; margin: 0 auto; background: #fff; color: #000; }
.receipt .receipt-code svg { width: 15mm; height: 15mm; }
@media screen {
  .receipt-tear { height: 8px; margin: 12px calc(-1 * var(--receipt-edge, 0px)) calc(-1 * var(--receipt-edge, 0px)); background: radial-gradient(circle at 6px 8px, var(--receipt-ground, #fff) 4px, transparent 4.5px) 0 0 / 12px 8px repeat-x; }
}
`;
