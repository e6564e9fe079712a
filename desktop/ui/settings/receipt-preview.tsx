import type { Business } from "../../../sync/entities/business.ts";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";

/** The part of the receipt that is being edited. */
export type LitPart = "header" | "footer" | undefined;

/** A receipt as it prints, with the part that is being edited lit up. */
export function ReceiptPreview({
	business,
	lit,
}: {
	business: Business;
	lit: LitPart;
}) {
	const { say } = useWords();
	const format = useFormat();
	const lines = [
		[say("settings.sampleMilk"), 2, 65],
		[say("settings.sampleBread"), 1, 60],
	] as const;
	return (
		<aside className="settings-preview">
			<span className="text-s muted strong">{say("settings.asItPrints")}</span>
			<article className="torn" aria-label={say("settings.asItPrints")}>
				{business.receiptLogoUrl && (
					<img src={business.receiptLogoUrl} alt="" />
				)}
				<b>{business.name}</b>
				{business.receiptHeader && (
					<p data-lit={lit === "header"}>{business.receiptHeader}</p>
				)}
				<hr />
				{lines.map(([name, quantity, price]) => (
					<div key={name} className="settings-preview-row">
						<span>
							{name}{" "}
							{quantity > 1 && (
								<span className="muted">
									{quantity} × {price}
								</span>
							)}
						</span>
						<span className="figure">{format.figure(quantity * price)}</span>
					</div>
				))}
				<hr />
				<div className="settings-preview-row strong">
					<span>
						{say("receipt.total")} {business.currency}
					</span>
					<span className="figure">{format.figure(190)}</span>
				</div>
				{business.receiptFooter && (
					<>
						<hr />
						<p data-lit={lit === "footer"}>{business.receiptFooter}</p>
					</>
				)}
			</article>
		</aside>
	);
}
