import { useWords } from "../words/index.ts";

const stubs = ["A-000001", "A-000002", "A-000003"];

/** A picture of the shop's receipt book, which fills in as its owner types. */
export function ReceiptBook({
	shop,
	currency,
}: {
	shop: string;
	currency: string;
}) {
	const { say } = useWords();
	return (
		<div className="book-place" aria-hidden>
			<div className="book">
				{stubs.map((number, i) => (
					<div key={number} className="book-row">
						<div className="book-stub">
							<span className="text-xs muted">{say("setup.shopKeeps")}</span>
							<b>{number}</b>
							<span className="book-lines" />
						</div>
						<div className="book-leaf">
							{i === 0 && (
								<>
									<b className="book-shop">{shop.trim() || "\u00a0"}</b>
									<span className="text-s muted">
										{say("receipt.number")} {number}
									</span>
								</>
							)}
							<span className="book-lines" />
							{i === 0 && (
								<span className="book-total">
									<b>{say("receipt.total")}</b>
									<span className="money">
										<small>{currency}</small>
										{"\u00a0"}0
									</span>
								</span>
							)}
						</div>
					</div>
				))}
			</div>
			<p className="text-s muted">{say("setup.counterfoil")}</p>
		</div>
	);
}
