import { Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ask } from "../api.ts";
import { LoadError } from "../components/load-error.tsx";
import { Panel } from "../components/panel.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";

interface Device {
	id: string;
	prefix: string;
	lastSeenAt: string;
}

/** The tills and browsers that sell for the shop. */
export function Devices() {
	const { say } = useWords();
	const format = useFormat();
	const { data, error } = useQuery({
		queryKey: ["devices"],
		queryFn: () => ask<{ devices: Device[] }>("GET", "/api/devices"),
	});
	return (
		<Panel title={say("settings.devices")}>
			<LoadError error={error} />
			<Table>
				<Table.Tbody>
					{data?.devices.map(({ id, prefix, lastSeenAt }) => (
						<Table.Tr key={id}>
							<Table.Td>{say("sync.prefix", { prefix })}</Table.Td>
							<Table.Td>
								{say("settings.lastSeen", { when: format.moment(lastSeenAt) })}
							</Table.Td>
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
		</Panel>
	);
}
