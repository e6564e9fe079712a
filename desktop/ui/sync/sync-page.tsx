import type { MutationArgs } from "../../../sync/entities/index.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { download } from "../components/download.ts";
import { wordsOf } from "../components/error-message.ts";
import { Panel } from "../components/panel.tsx";
import { Tag } from "../components/tag.tsx";
import { offerUndo } from "../components/undo.tsx";
import { useFormat } from "../format.ts";
import { HistoryNote } from "../sales/history-note.tsx";
import { isTillsWindow } from "../sent-page.ts";
import { useShop } from "../session.tsx";
import type { PageStatus } from "../shop/client.ts";
import { useTill } from "../shop/till.ts";
import { usePageStatus } from "../shop/use-shop-data.ts";
import { type Say, useWords } from "../words/index.ts";
import { BrowserChoices } from "./browser-choices.tsx";
import { ConnectToServer } from "./connect-to-server.tsx";
import { EndOfDay } from "./end-of-day.tsx";
import "./sync.css";

/** This till's sync state, and the mutations that the server rejected. */
export default function SyncPage() {
	const { say } = useWords();
	const sync = usePageStatus();
	const till = useTill();
	const isAlone = till?.mode === "alone";
	return (
		<section className="page page-forms sync">
			<h1>{say("app.sync")}</h1>
			<HistoryNote />
			{sync.rejected.map((entry) => (
				<Refused key={entry.id} entry={entry} />
			))}
			{sync.rejected.length === 0 && (
				<p className="muted">{say("sync.nothing")}</p>
			)}
			<div className="panel-columns">
				<div>
					{!isAlone && <Server />}
					<ConnectToServer />
					<Pack />
				</div>
				<div>
					{!isAlone && <EndOfDay />}
					<BrowserChoices />
				</div>
			</div>
		</section>
	);
}

/** Whether the server can be reached, what it still lacks, and how safely this device keeps that. */
function Server() {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const sync = usePageStatus();
	const till = useTill();
	const { attempt, problem, isBusy } = useAttempt();
	const when = sync.lastSyncAt
		? format.moment(sync.lastSyncAt)
		: say("sync.never");
	return (
		<Panel title={say("join.shopServer")}>
			{problem}
			{sync.paused && (till || sync.paused === "outdated") && (
				<p className="attention" role="alert">
					{say(`join.paused.${sync.paused}`)}
				</p>
			)}
			<div className="panel-row">
				<div className="column-flex">
					<span className="row-flex">
						{sync.isOnline && <span className="dot" aria-hidden />}
						<b>
							{sync.isOnline === null
								? say("sync.connecting")
								: say(sync.isOnline ? "sync.online" : "sync.offline")}
						</b>
						{till && <span>{till.server}</span>}
						{sync.pending > 0 && (
							<Tag tone="attention">
								{say("sync.waiting", { count: sync.pending })}
							</Tag>
						)}
					</span>
					<span>{say("sync.last", { when })}</span>
					{sync.healed && (
						<span className="text-s muted">
							{say("sync.healed", {
								count: sync.healed.rows,
								when: format.moment(sync.healed.at),
							})}
						</span>
					)}
					{sync.prefix && (
						<span className="text-s muted">
							{say("sync.device")}:{" "}
							{say("sync.prefix", { prefix: sync.prefix })}
						</span>
					)}
				</div>
				<Button isBusy={isBusy} onClick={() => attempt(() => shop.tryNow())}>
					{say("sync.now")}
				</Button>
			</div>
			{!isTillsWindow && <p className="text-s muted">{keptHow(sync, say)}</p>}
		</Panel>
	);
}

/** Says how safely this browser keeps unsent sales. */
function keptHow(standing: PageStatus, say: Say): string {
	if (standing.storage === "memory")
		return `${say("storage.none")} ${say("storage.nothing")}`;
	if (standing.storage === "outbox") return say("sync.keptUnsent");
	return standing.isPersisted
		? say("sync.kept")
		: `${say("sync.kept")} ${say("sync.notPersisted")}`;
}

/** Another tab has the shop's files open, or part of the app is missing. */
const othersOpenIt = ["storage_busy", "unreachable"];

/** The last resort if the shop's files can't be opened: saves them for someone who can help. */
function Pack() {
	const { say } = useWords();
	const { shop } = useShop();
	const { storageError, problem, storage } = usePageStatus();
	const { attempt, problem: whyNot, isBusy } = useAttempt();
	const why = problem ?? (storage === "disk" ? undefined : storageError);
	if (!why || othersOpenIt.includes(why.code)) return null;
	return (
		<Panel title={say("sync.packTitle")}>
			<p>{say("sync.packLead")}</p>
			{whyNot}
			<div>
				<Button
					isBusy={isBusy}
					onClick={() =>
						attempt(async () => download(await shop.pack(), "shop.tar"))
					}
				>
					{say("sync.pack")}
				</Button>
			</div>
		</Panel>
	);
}

function Refused({ entry }: { entry: PageStatus["rejected"][number] }) {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const name = entry.name as keyof MutationArgs;
	return (
		<div className="leaf sync-refused" role="alert">
			<b>
				{say(`refused.${name}`)} · {format.moment(entry.at)}
			</b>
			<span>
				{say("sync.why")}: {wordsOf(entry.error, say)}
			</span>
			{problem}
			<div className="row-flex">
				<Button
					kind="ink"
					isBusy={isBusy}
					onClick={() => attempt(() => shop.retry(entry.id))}
				>
					{say("sync.retry")}
				</Button>
				<Button
					disabled={isBusy}
					onClick={() =>
						attempt(async () => {
							await shop.discard(entry.id);
							offerUndo(say("sync.discarded"), () => shop.restore(entry.id));
						})
					}
				>
					{say("sync.discard")}
				</Button>
			</div>
		</div>
	);
}
