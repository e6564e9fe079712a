import type { StatementMatch } from "../../../sync/queries/statement-match.ts";
import type { MatchState } from "../../../sync/statements/match.ts";
import { LoadError } from "../components/load-error.tsx";
import { Money } from "../components/money.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { useFormat } from "../format.ts";
import { useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import type { Days } from "./days.ts";

type Found = StatementMatch["claims"][number];

/** The codes of one state, the newest first. */
export function MatchList({ days, state }: { days: Days; state: MatchState }) {
	const { say } = useWords();
	const list = useRows("statement.match", { ...days, state });
	return (
		<>
			<LoadError error={list.error} />
			{list.isSuccess && list.rows.length === 0 && (
				<p className="muted">{say("statements.noneOf")}</p>
			)}
			<ul className="leaf statements-list">
				{list.rows.map((match) => (
					<MatchItem key={match.code} match={match} />
				))}
			</ul>
			<MoreButton list={list} />
		</>
	);
}

function MatchItem({
	match: { code, at, payer, received, claimed, claims, suggestions },
}: {
	match: StatementMatch;
}) {
	const { say } = useWords();
	const format = useFormat();
	const nameOf = useFoundName();
	const facts = [format.moment(at), payer, ...claims.map(nameOf)];
	return (
		<li>
			<span className="grow statements-name">
				<b>{code}</b>
				<span className="muted text-s">
					{facts.filter(Boolean).join(" · ")}
				</span>
				{suggestions.length > 0 && (
					<span className="text-s">
						{say("statements.perhaps", {
							what: suggestions
								.map((one) => `${nameOf(one)}, ${format.time(one.at)}`)
								.join(" · "),
						})}
					</span>
				)}
			</span>
			<span className="statements-amounts">
				<Money value={received ?? claimed ?? 0} />
				{received !== null && claimed !== null && received !== claimed && (
					<span className="text-s attention">
						{say("statements.claimed", { amount: format.money(claimed) })}
					</span>
				)}
			</span>
		</li>
	);
}

/** Names a sale by its receipt number, and a payment by its code. */
function useFoundName(): (found: Found) => string {
	const { say } = useWords();
	return ({ kind, code, receiptNumber }) =>
		kind === "received"
			? (code ?? "")
			: kind === "collection"
				? say("customers.kind.collection")
				: (receiptNumber ?? say("customers.kind.sale"));
}
