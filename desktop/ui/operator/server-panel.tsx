import { useQuery } from "@tanstack/react-query";
import { ApiError, ask } from "../api.ts";
import { LoadError } from "../components/load-error.tsx";
import { Panel } from "../components/panel.tsx";
import { Tag } from "../components/tag.tsx";
import { useFormat } from "../format.ts";
import { notificationsWords } from "../notifications/words.ts";
import { addWords, localeOf, useWords } from "../words/index.ts";
import { operatorWords } from "./words.ts";
import "./operator.css";

addWords(operatorWords);
addWords(notificationsWords);

interface Standing {
	version: string;
	schema: number;
	startedAt: string;
	databaseBytes: number;
	disk: { freeBytes: number; bytes: number };
	backup: { at: string | null; isOnSameDisk: boolean; behind: number };
	backupPlaces: {
		dir: string;
		isOther: boolean;
		problem: { trouble: "missing" | "full" | "failed" } | null;
		files: { name: string; at: string; bytes: number; isProven: boolean }[];
	}[];
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
	const { disk, backup, backupPlaces, errors } = data;
	const size = (bytes: number) => formatBytes(bytes, localeOf(language));
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
			{backupPlaces.length > 0 && (
				<Panel title={say("operator.backups")}>
					{backupPlaces.map((place) => (
						<BackupPlace key={place.dir} {...place} size={size} />
					))}
				</Panel>
			)}
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

/** The backups in one place. */
function BackupPlace({
	dir,
	isOther,
	problem,
	files,
	size,
}: Standing["backupPlaces"][number] & { size(bytes: number): string }) {
	const { say } = useWords();
	const { moment } = useFormat();
	return (
		<div>
			<p className={problem ? "strong" : "muted"}>
				{problem
					? say(`bell.backup_${problem.trouble}`, { name: dir })
					: say(isOther ? "operator.otherDisk" : "operator.ownDisk", { dir })}
			</p>
			{problem && <p>{say(`bell.backup_${problem.trouble}Lead`)}</p>}
			{files.length > 0 && (
				<details>
					<summary>
						{say("operator.backupCount", { count: files.length })}
					</summary>
					{files.map(({ name, at, bytes, isProven }) => (
						<div key={name} className="panel-row">
							<span className="grow">
								{moment(at)}
								<span className="text-s muted"> {name}</span>
							</span>
							<span className="text-s muted">{size(bytes)}</span>
							<Tag tone={isProven ? "plain" : "danger"}>
								{say(isProven ? "operator.proven" : "operator.unproven")}
							</Tag>
						</div>
					))}
				</details>
			)}
		</div>
	);
}

function formatBytes(bytes: number, locale: string): string {
	const isLarge = bytes >= 1e9;
	return new Intl.NumberFormat(locale, {
		style: "unit",
		unit: isLarge ? "gigabyte" : "megabyte",
		maximumFractionDigits: 1,
	}).format(bytes / (isLarge ? 1e9 : 1e6));
}
