import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Busy } from "../components/busy.tsx";
import { Button } from "../components/button.tsx";
import { DecimalField } from "../components/field.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Toggle } from "../components/toggle.tsx";
import { useWords } from "../words/index.ts";

interface AiBusiness {
	businessId: string;
	name: string;
	allowed: boolean;
	ceiling: number | null;
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
	of: { businessId, name, allowed, ceiling },
}: {
	of: AiBusiness;
}) {
	const { say } = useWords();
	const queries = useQueryClient();
	const { attempt, problem, isBusy } = useAttempt();
	const [budget, setBudget] = useState(String(ceiling ?? ""));
	const change = (body: Partial<Pick<AiBusiness, "allowed" | "ceiling">>) =>
		attempt(async () => {
			await ask("PATCH", `/api/admin/ai/${businessId}`, body);
			await queries.invalidateQueries({ queryKey });
		});
	return (
		<div className="panel-row">
			{problem}
			<b className="grow">{name}</b>
			<Toggle
				label={say("admin.allowAi")}
				aria-label={`${say("admin.allowAi")}: ${name}`}
				checked={allowed}
				disabled={isBusy}
				onChange={(isOn) => void change({ allowed: isOn })}
			/>
			<DecimalField
				label={say("ai.budget")}
				aria-label={`${say("ai.budget")}: ${name}`}
				value={budget}
				onChange={setBudget}
			/>
			<Button
				isBusy={isBusy}
				aria-label={`${say("app.save")}: ${name}`}
				onClick={() =>
					void change({ ceiling: budget === "" ? null : Number(budget) })
				}
			>
				{say("app.save")}
			</Button>
		</div>
	);
}
