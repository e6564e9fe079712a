import type { Layaway } from "../../../sync/entities/layaway.ts";
import { useFormat } from "../format.ts";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** What was paid of a layaway, and by when the rest is due. */
export function Progress({
	layaway: { total, deposited, dueDay, state },
}: {
	layaway: Layaway;
}) {
	const { say } = useWords();
	const format = useFormat();
	const today = useAnswer("business.today", {}).data?.day ?? "";
	const isOverdue = state === "open" && dueDay !== null && dueDay < today;
	return (
		<span className="text-s">
			<span className="muted">
				{say("layaways.paid", {
					paid: format.figure(deposited),
					total: format.figure(total),
				})}
				{(state !== "open" || dueDay !== null) && " · "}
			</span>
			{state !== "open" ? (
				<span className="muted">{say(`layaways.state.${state}`)}</span>
			) : (
				dueDay !== null && (
					<span className={isOverdue ? "attention" : "muted"}>
						{say(isOverdue ? "layaways.overdue" : "layaways.dueOn", {
							day: format.day(dueDay),
						})}
					</span>
				)
			)}
		</span>
	);
}
