import { Group, Switch, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ask } from "../api.ts";
import { useWords } from "../words/index.ts";
import { Part } from "./part.tsx";

interface Preference {
	type: "sales" | "inventory" | "customers" | "system" | "business";
	enabled: boolean;
}

/** What one wants to hear of. */
export function Preferences() {
	const { say } = useWords();
	const queries = useQueryClient();
	const path = "/api/notifications/preferences";
	const { data, isError } = useQuery({
		queryKey: ["preferences"],
		queryFn: () => ask<{ preferences: Preference[] }>("GET", path),
	});
	return (
		<Part title={say("settings.notify")}>
			{isError && <Text c="dimmed">{say("app.offline")}</Text>}
			<Group>
				{data?.preferences.map(({ type, enabled }) => (
					<Switch
						key={type}
						label={say(`settings.type.${type}`)}
						checked={enabled}
						onChange={async (event) => {
							const body = { type, enabled: event.currentTarget.checked };
							queries.setQueryData(
								["preferences"],
								await ask("PATCH", path, body),
							);
						}}
					/>
				))}
			</Group>
		</Part>
	);
}
