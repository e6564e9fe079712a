import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Panel } from "../components/panel.tsx";
import { Toggle } from "../components/toggle.tsx";
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
			<div>
				{data?.preferences.map(({ type, enabled }) => (
					<Toggle
						key={type}
						label={say(`settings.type.${type}`)}
						checked={enabled}
						disabled={isBusy}
						onChange={(isOn) =>
							void attempt(async () =>
								queries.setQueryData(
									["preferences"],
									await ask("PATCH", path, { type, enabled: isOn }),
								),
							)
						}
					/>
				))}
			</div>
		</Panel>
	);
}
