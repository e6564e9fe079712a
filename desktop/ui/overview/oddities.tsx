import { Link } from "wouter";
import { useFormat } from "../format.ts";
import { useSeesProfit } from "../staff/use-limits.ts";
import { type Say, useWords } from "../words/index.ts";
import type { LetterFacts } from "./letter.tsx";
import { salesOf } from "./sales-link.ts";

type Oddity = LetterFacts["odd"][number];
type Format = ReturnType<typeof useFormat>;

/** What looks odd about today, each with the way to it. */
export function Oddities({ letter: { odd, day } }: { letter: LetterFacts }) {
	const { say } = useWords();
	const format = useFormat();
	const seesProfit = useSeesProfit();
	const shown = odd.filter(({ code }) => seesProfit || code !== "under_cost");
	if (shown.length === 0) return null;
	return (
		<section className="leaf overview-card" aria-labelledby="odd">
			<h2 id="odd">{say("odd.title")}</h2>
			<ul className="overview-list">
				{shown.map((one) => {
					const { title, second, amount, href } = worded(one, day, say, format);
					return (
						<li key={`${title} ${second}`}>
							<span className="grow">
								<Link href={href}>{title}</Link>
								<span className="muted text-s overview-second">{second}</span>
							</span>
							{amount !== undefined && (
								<span className="figure strong danger">
									{format.change(-amount)}
								</span>
							)}
						</li>
					);
				})}
			</ul>
		</section>
	);
}

function worded(
	one: Oddity,
	day: string,
	say: Say,
	format: Format,
): { title: string; second: string; amount?: number; href: string } {
	const days = { from: day, to: day };
	switch (one.code) {
		case "under_cost":
			return {
				title: say("odd.underCost", { name: one.name }),
				second: say("odd.underCostHow", {
					price: format.money(one.price),
					cost: format.money(one.cost),
				}),
				amount: one.loss,
				href: salesOf(days, one.productId ? { product: one.productId } : {}),
			};
		case "large_discount":
			return {
				title: say("odd.discount", { name: one.name }),
				second: say("odd.discountHow", {
					price: format.money(one.price),
					listPrice: format.money(one.listPrice),
				}),
				amount: one.discount,
				href: salesOf(days, one.productId ? { product: one.productId } : {}),
			};
		case "many_refunds":
			return {
				title: say("odd.refunds", { count: one.refunds }),
				second: say("odd.refundsHow"),
				amount: one.refunded,
				href: salesOf(days),
			};
		case "quiet":
			return {
				title: one.since
					? say("odd.quietSince", { time: format.time(one.since) })
					: say("letter.nothing"),
				second: say("odd.quietHow", { count: one.usualSales }),
				href: salesOf(days),
			};
	}
}
