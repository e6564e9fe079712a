import {
	Button,
	Group,
	Loader,
	NumberInput,
	Stack,
	Switch,
	Text,
} from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { LoadError } from "../components/load-error.tsx";
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
	const { say } = useWords();
	const { data, error, isPending } = useQuery({
		queryKey,
		queryFn: () => ask<{ businesses: AiBusiness[] }>("GET", "/api/admin/ai"),
	});
	return (
		<Stack gap="xs">
			{isPending && <Loader aria-label={say("app.loading")} />}
			<LoadError error={error} />
			{data?.businesses.map((business) => (
				<Allowed key={business.businessId} of={business} />
			))}
		</Stack>
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
	const [budget, setBudget] = useState<number | string>(ceiling ?? "");
	const change = (body: Partial<Pick<AiBusiness, "allowed" | "ceiling">>) =>
		attempt(async () => {
			await ask("PATCH", `/api/admin/ai/${businessId}`, body);
			await queries.invalidateQueries({ queryKey });
		});
	return (
		<>
			{problem}
			<Group justify="space-between">
				<Text>{name}</Text>
				<Group>
					<Switch
						label={say("admin.allowAi")}
						aria-label={`${say("admin.allowAi")}: ${name}`}
						checked={allowed}
						disabled={isBusy}
						onChange={(event) =>
							void change({ allowed: event.currentTarget.checked })
						}
					/>
					<NumberInput
						aria-label={`${say("ai.budget")}: ${name}`}
						placeholder={say("ai.budget")}
						value={budget}
						onChange={setBudget}
						min={0}
						max={1_000_000}
						decimalScale={6}
					/>
					<Button
						variant="default"
						loading={isBusy}
						aria-label={`${say("app.save")}: ${name}`}
						onClick={() =>
							void change({ ceiling: budget === "" ? null : Number(budget) })
						}
					>
						{say("app.save")}
					</Button>
				</Group>
			</Group>
		</>
	);
}
