import { Check } from "lucide-react";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { useFormat } from "../format.ts";
import { useMayManage, useShop } from "../session.tsx";
import { useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { reopenGroup } from "./sort-out.ts";
import { useGroupWords } from "./use-group-words.ts";

/** What was sorted out today, which can be put back. */
export function Dismissed() {
	const { say } = useWords();
	const { shop } = useShop();
	const format = useFormat();
	const words = useGroupWords();
	const mayManage = useMayManage();
	const { attempt, problem } = useAttempt();
	const list = useRows("inbox.dismissed", {});
	if (list.rows.length === 0) return null;
	return (
		<section className="column-flex" aria-label={say("inbox.today")}>
			<h2 className="muted">{say("inbox.today")}</h2>
			{problem}
			<ul className="leaf dismissed">
				{list.rows.map((row) => {
					const title = words.title(row);
					const { cause, productId, saleId, shiftId, dismissedAt, reason } =
						row;
					return (
						<li
							key={JSON.stringify([
								...[cause, productId, saleId, shiftId, dismissedAt],
							])}
						>
							<Check size={20} className="dismissed-check" aria-hidden />
							<span className="grow">
								{title}. {words.reason(reason)}
							</span>
							<span className="muted text-s">
								{[row.userName, format.moment(dismissedAt)]
									.filter(Boolean)
									.join(", ")}
							</span>
							{mayManage && (
								<Button
									kind="quiet"
									size="s"
									aria-label={`${say("inbox.putBack")}: ${title}`}
									onClick={() => attempt(() => reopenGroup(shop, row))}
								>
									{say("inbox.putBack")}
								</Button>
							)}
						</li>
					);
				})}
			</ul>
			<MoreButton list={list} />
		</section>
	);
}
