import type { ReactNode } from "react";
import { Mark } from "../components/mark.tsx";
import { LanguageChips } from "../words/language-chips.tsx";
import { ReceiptBook } from "./receipt-book.tsx";
import "./cover.css";

/** A page before a shop is open: the language first, then a form; beside it the receipt book that it opens. */
export function Cover({
	title,
	lead,
	foot,
	shop = "",
	currency = "",
	children,
}: {
	title: string;
	lead?: ReactNode;
	/** The other way in, at the end of the page. */
	foot?: ReactNode;
	/** The names on the receipt book, as far as they are known. */
	shop?: string;
	currency?: string;
	children: ReactNode;
}) {
	return (
		<main className="cover">
			<div className="cover-leaf">
				<div className="cover-head">
					<Brand />
					<LanguageChips />
				</div>
				<div className="cover-body">
					<div>
						<h1>{title}</h1>
						{lead && <p className="cover-lead muted">{lead}</p>}
					</div>
					{children}
				</div>
				<div className="cover-foot muted">{foot}</div>
			</div>
			<ReceiptBook shop={shop} currency={currency} />
		</main>
	);
}

export function Brand() {
	return (
		<span className="brand">
			<Mark size={40} />
			Counterfoil
		</span>
	);
}
