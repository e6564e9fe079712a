import { memo, useInsertionEffect } from "react";
import { toQrPath } from "../../../sync/receipts/qr.ts";
import type {
	ItemBlock,
	ReceiptBlock,
	ReceiptDocument,
} from "../../../sync/receipts/receipt-document.ts";
import { receiptStyle } from "../../../sync/receipts/receipt-style.ts";
import { receiptWords } from "../../../sync/receipts/words/index.ts";

let isStyled = false;

/** Adds the look that the server's pages have, once. */
function useReceiptStyle(): void {
	useInsertionEffect(() => {
		if (isStyled) return;
		isStyled = true;
		const sheet = new CSSStyleSheet();
		sheet.replaceSync(receiptStyle);
		document.adoptedStyleSheets.push(sheet);
	}, []);
}

/** A receipt on the screen and on this browser's paper. It shows the same blocks as every other medium. */
export const ReceiptView = memo(function ReceiptView({
	receipt: { language, blocks },
	lit,
}: {
	receipt: ReceiptDocument;
	/** A paragraph to light up. */
	lit?: string | undefined;
}) {
	useReceiptStyle();
	const { receipt: label } = receiptWords[language];
	return (
		<article className="receipt" lang={language} aria-label={label}>
			{blocks.map((block, i) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a block is its place on the receipt.
				<Block key={i} block={block} lit={lit?.trim()} />
			))}
		</article>
	);
});

function Block({
	block,
	lit,
}: {
	block: ReceiptBlock;
	lit: string | undefined;
}) {
	switch (block.kind) {
		case "logo":
			return <img className="receipt-logo" src={block.url} alt="" />;
		case "title":
			return <h1>{block.text}</h1>;
		case "paragraph":
			return (
				<p
					className={`receipt-${block.align}`}
					data-lit={block.text === lit || undefined}
				>
					{block.text}
				</p>
			);
		case "mark":
			return <p className="receipt-mark">{block.text}</p>;
		case "pair":
			return (
				<div className="receipt-row receipt-pair">
					<div>{block.label}</div>
					<div>{block.value}</div>
				</div>
			);
		case "total":
			return (
				<div className="receipt-row receipt-total">
					<div>{block.label}</div>
					<div>{block.value}</div>
				</div>
			);
		case "item":
			return <Item item={block} />;
		case "rule":
			return <hr />;
		case "qr":
			return (
				<div className="receipt-qr">
					<Qr content={block.url} />
					<p>{block.caption}</p>
				</div>
			);
		case "code":
			return (
				<div className="receipt-qr receipt-code">
					<Qr content={block.text} />
				</div>
			);
		case "tear":
			return <div className="receipt-tear" />;
	}
}

function Item({ item: { name, each, amount, notes } }: { item: ItemBlock }) {
	return (
		<>
			<div className="receipt-row">
				<div>
					<span>{name}</span>
					{each && (
						<>
							{" "}
							<span className="receipt-each">
								{each.quantity} × {each.pack}
								{each.was && <s>{each.was.price}</s>}
								{each.was && " "}
								{each.price}
							</span>
						</>
					)}
				</div>
				<div>{amount}</div>
			</div>
			{notes.map((note) => (
				<p key={note} className="receipt-note">
					{note}
				</p>
			))}
		</>
	);
}

function Qr({ content }: { content: string }) {
	const { size, path } = toQrPath(content);
	return (
		<svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={content}>
			<path d={path} fill="currentColor" />
		</svg>
	);
}
