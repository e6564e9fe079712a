import { useQuery } from "@tanstack/react-query";
import { ask } from "../api.ts";
import { LoadError } from "../components/load-error.tsx";
import { Panel } from "../components/panel.tsx";
import { Tag } from "../components/tag.tsx";
import { useFormat } from "../format.ts";
import { useStatus } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

interface Device {
	id: string;
	prefix: string;
	lastSeenAt: string;
	unsent: number;
	program: string | null;
	behind: number | null;
}

/** The tills and browsers that sell for the shop. */
export function Devices() {
	const { say } = useWords();
	const format = useFormat();
	const own = useStatus("prefix");
	const { data, error } = useQuery({
		queryKey: ["devices"],
		queryFn: () => ask<{ devices: Device[] }>("GET", "/api/devices"),
	});
	return (
		<Panel title={say("settings.devices")}>
			<LoadError error={error} />
			<div>
				{data?.devices.map(
					({ id, prefix, lastSeenAt, unsent, program, behind }) => (
						<div key={id} className="panel-row">
							<span className="row-flex">
								<span>{say("sync.prefix", { prefix })}</span>
								{prefix === own && <Tag>{say("sync.device")}</Tag>}
								{unsent > 0 && (
									<Tag tone="attention">
										{say("operator.unsent", { count: unsent })}
									</Tag>
								)}
								{behind !== null && behind > 0 && (
									<Tag>{say("operator.lacks", { count: behind })}</Tag>
								)}
							</span>
							<span className="text-s muted">
								{program && `${say("operator.version")} ${program} · `}
								{say("settings.lastSeen", { when: format.moment(lastSeenAt) })}
							</span>
						</div>
					),
				)}
			</div>
		</Panel>
	);
}
