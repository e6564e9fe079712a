import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { numberOrNull } from "../ai/account-limits.tsx";
import { aiWords } from "../ai/words.ts";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Busy } from "../components/busy.tsx";
import { Button } from "../components/button.tsx";
import { DecimalField } from "../components/field.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Toggle } from "../components/toggle.tsx";
import { addWords, useWords } from "../words/index.ts";

addWords(aiWords);

interface AiBusiness {
	businessId: string;
	name: string;
	allowed: boolean;
	ceiling: number | null;
	requestsPerMinute: number | null;
}

const queryKey = ["aiBusinesses"];

/** The businesses that may use AI with the operator's provider keys, for the administrator. */
export function AllowedBusinesses() {
	const { data, error, isPending } = useQuery({
		queryKey,
		queryFn: () => ask<{ businesses: AiBusiness[] }>("GET", "/api/admin/ai"),
	});
	return (
		<div>
			{isPending && <Busy />}
			<LoadError error={error} />
			{data?.businesses.map((business) => (
				<Allowed key={business.businessId} of={business} />
			))}
		</div>
	);
}

function Allowed({
	of: { businessId, name, allowed, ceiling, requestsPerMinute },
}: {
	of: AiBusiness;
}) {
	const { say } = useWords();
	const queries = useQueryClient();
	// Apart, since one may be changed while the other is on its way.
	const switching = useAttempt();
	const saving = useAttempt();
	const [budget, setBudget] = useState(String(ceiling ?? ""));
	const [rate, setRate] = useState(String(requestsPerMinute ?? ""));
	async function change(body: Partial<AiBusiness>): Promise<void> {
		await ask("PATCH", `/api/admin/ai/${businessId}`, body);
		await queries.invalidateQueries({ queryKey });
	}
	return (
		<div className="panel-row">
			{switching.problem}
			{saving.problem}
			<b className="grow">{name}</b>
			<Toggle
				label={say("admin.allowAi")}
				aria-label={`${say("admin.allowAi")}: ${name}`}
				checked={allowed}
				disabled={switching.isBusy}
				onChange={(isOn) =>
					void switching.attempt(() => change({ allowed: isOn }))
				}
			/>
			<DecimalField
				label={say("ai.budget")}
				aria-label={`${say("ai.budget")}: ${name}`}
				value={budget}
				onChange={setBudget}
			/>
			<DecimalField
				label={say("ai.rate")}
				aria-label={`${say("ai.rate")}: ${name}`}
				value={rate}
				onChange={setRate}
			/>
			<Button
				isBusy={saving.isBusy}
				aria-label={`${say("app.save")}: ${name}`}
				onClick={() =>
					void saving.attempt(() =>
						change({
							ceiling: numberOrNull(budget),
							requestsPerMinute: numberOrNull(rate),
						}),
					)
				}
			>
				{say("app.save")}
			</Button>
		</div>
	);
}
