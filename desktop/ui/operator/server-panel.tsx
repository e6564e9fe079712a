import { useQuery } from "@tanstack/react-query";
import { ApiError, ask } from "../api.ts";
import { LoadError } from "../components/load-error.tsx";
import { Panel } from "../components/panel.tsx";
import { Tag } from "../components/tag.tsx";
import { useFormat } from "../format.ts";
import { addWords, localeOf, useWords } from "../words/index.ts";
import { operatorWords } from "./words.ts";
import "./operator.css";

addWords(operatorWords);

interface Standing {
	version: string;
	schema: number;
	startedAt: string;
	databaseBytes: number;
	disk: { freeBytes: number; bytes: number };
	backup: { at: string | null; isOnSameDisk: boolean; behind: number };
	errors: { at: string; level: "warn" | "error"; message: string }[];
}

export function useStanding() {
	return useQuery({
		queryKey: ["server"],
		queryFn: () => ask<Standing>("GET", "/api/server"),
		refetchInterval: 60_000,
	});
}

/** How the server is, for its operator: an administrator, or the owner of its only shop. */
export function ServerPanel() {
	const { say, language } = useWords();
	const { moment, quantity } = useFormat();
	const { data, error } = useStanding();
	if (error instanceof ApiError && error.status === 403)
		return (
			<Panel title={say("operator.server")}>
				<p className="muted">{say("operator.others")}</p>
			</Panel>
		);
	if (!data) return <LoadError error={error} />;
	const { disk, backup, errors } = data;
	const size = (bytes: number) => {
		const isLarge = bytes >= 1e9;
		return new Intl.NumberFormat(localeOf(language), {
			style: "unit",
			unit: isLarge ? "gigabyte" : "megabyte",
			maximumFractionDigits: 1,
		}).format(bytes / (isLarge ? 1e9 : 1e6));
	};
	const lastBackup =
		backup.at === null
			? say("operator.noBackup")
			: [moment(backup.at), backup.isOnSameDisk && say("operator.sameDisk")]
					.filter(Boolean)
					.join(", ");
	const facts = [
		[say("operator.version"), `${data.version} (${data.schema})`],
		[say("operator.started"), moment(data.startedAt)],
		[say("operator.database"), size(data.databaseBytes)],
		[say("operator.disk"), `${size(disk.freeBytes)} / ${size(disk.bytes)}`],
		[say("operator.backup"), lastBackup],
		[say("operator.behind"), quantity(backup.behind)],
	] as const;
	return (
		<div className="operator">
			<Panel title={say("operator.server")}>
				<dl>
					{facts.map(([name, value]) => (
						<div key={name} className="panel-row">
							<dt className="grow muted">{name}</dt>
							<dd>{value}</dd>
						</div>
					))}
				</dl>
			</Panel>
			<Panel title={say("operator.errors")}>
				{errors.length === 0 && (
					<p className="muted">{say("operator.noErrors")}</p>
				)}
				<div>
					{errors.map(({ at, level, message }, i) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced whole, and two lines may be alike.
						<div key={`${at} ${i}`} className="panel-row">
							<span className="grow">{message}</span>
							<Tag tone={level === "error" ? "danger" : "plain"}>{level}</Tag>
							<span className="text-s muted">{moment(at)}</span>
						</div>
					))}
				</div>
			</Panel>
		</div>
	);
}
