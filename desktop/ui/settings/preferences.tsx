import { Group, Switch } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Panel } from "../components/panel.tsx";
import { useWords } from "../words/index.ts";

interface Preference {
	type: "sales" | "inventory" | "customers" | "system" | "business";
	enabled: boolean;
}

/** The kinds of notifications that a user wants. */
export function Preferences() {
	const { say } = useWords();
	const queries = useQueryClient();
	const { attempt, problem, isBusy } = useAttempt();
	const path = "/api/notifications/preferences";
	const { data, error } = useQuery({
		queryKey: ["preferences"],
		queryFn: () => ask<{ preferences: Preference[] }>("GET", path),
	});
	return (
		<Panel title={say("settings.notify")}>
			<LoadError error={error} />
			{problem}
			<Group>
				{data?.preferences.map(({ type, enabled }) => (
					<Switch
						key={type}
						label={say(`settings.type.${type}`)}
						checked={enabled}
						disabled={isBusy}
						onChange={(event) => {
							const body = { type, enabled: event.currentTarget.checked };
							void attempt(async () =>
								queries.setQueryData(
									["preferences"],
									await ask("PATCH", path, body),
								),
							);
						}}
					/>
				))}
			</Group>
		</Panel>
	);
}
