import { useState } from "react";
import { plus } from "../../../sync/entities/money.ts";
import { businessDay, toIso } from "../../../sync/protocol/clock.ts";
import type { LocalSale } from "../../../sync/protocol/till-api.ts";
import { Button } from "../components/button.tsx";
import { messageOf } from "../components/error-message.ts";
import { Panel } from "../components/panel.tsx";
import { Tag } from "../components/tag.tsx";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import { useBusiness } from "../shop/business.tsx";
import type { ShopClient } from "../shop/client.ts";
import { useWords } from "../words/index.ts";

interface Counted {
	count: number;
	sum: number;
}

interface Comparison {
	here: Counted;
	there: Counted;
	/** Receipt numbers that the server doesn't have. */
	missing: string[];
}

/** Compares this till's day with what the server has acknowledged; offline, with what it had acknowledged so far. */
export function EndOfDay() {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const business = useBusiness();
	const [found, setFound] = useState<Comparison>();
	const [problem, setProblem] = useState<string>();
	const [isBusy, setBusy] = useState(false);

	async function look(): Promise<void> {
		if (!business) return;
		setProblem(undefined);
		setBusy(true);
		const { timeZone, cutOffHour } = business;
		const now = toIso(shop.now());
		try {
			const day = businessDay(now, timeZone, cutOffHour);
			setFound(await compare(shop, day));
		} catch (error) {
			setProblem(messageOf(error));
		} finally {
			setBusy(false);
		}
	}

	return (
		<Panel
			title={say("close.title")}
			aside={
				<Button kind="ink" isBusy={isBusy} onClick={look}>
					{say("close.compare")}
				</Button>
			}
		>
			<p className="muted">{say("close.lead")}</p>
			{problem && (
				<p className="danger" role="alert">
					{problem}
				</p>
			)}
			{found && (
				<>
					<table className="sync-day">
						<tbody>
							{(["here", "there"] as const).map((where) => (
								<tr key={where}>
									<td>{say(`close.${where}`)}</td>
									<td className="figure">
										{say("report.salesCount", { count: found[where].count })}
									</td>
									<td className="amount strong">
										{format.money(found[where].sum)}
									</td>
								</tr>
							))}
						</tbody>
					</table>
					{found.missing.length === 0 ? (
						<p role="status">
							<Tag tone="money">{say("close.same")}</Tag>
						</p>
					) : (
						<div
							className="sync-missing"
							role="alert"
							aria-label={say("close.missing")}
						>
							<b>{say("close.missing")}</b>
							<ul>
								{found.missing.map((receipt) => (
									<li key={receipt}>{receipt}</li>
								))}
							</ul>
						</div>
					)}
				</>
			)}
		</Panel>
	);
}

async function compare(shop: ShopClient, day: string): Promise<Comparison> {
	await shop.tryNow();
	const made = await shop.madeOn(day);
	const sold = made.filter(({ state }) => state !== "discarded");
	const arrived = sold.filter(({ state }) => state === "acknowledged");
	return {
		here: count(sold),
		there: count(arrived),
		missing: sold
			.filter(({ state }) => state !== "acknowledged")
			.map(({ id, receiptNumber }) => receiptNumber ?? id),
	};
}

const count = (sales: readonly LocalSale[]): Counted => ({
	count: sales.length,
	sum: sales.reduce((sum, { total }) => plus(sum, total), 0),
});
