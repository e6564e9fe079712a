import {
	Alert,
	Badge,
	Button,
	Card,
	Group,
	Stack,
	Text,
	Title,
} from "@mantine/core";
import { useState } from "react";
import type { MutationArgs } from "../../../sync/entities/index.ts";
import { useAttempt } from "../components/attempt.tsx";
import { wordsOf } from "../components/error-message.ts";
import { offerUndo } from "../components/undo.tsx";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import type { PageStatus } from "../shop/client.ts";
import { isTillsWindow, useTill } from "../shop/till.ts";
import { usePageStatus } from "../shop/use-shop-data.ts";
import { type Say, useWords } from "../words/index.ts";
import { ConnectToServer } from "./connect-to-server.tsx";
import { EndOfDay } from "./end-of-day.tsx";
import { TillSwitch } from "./till-switch.tsx";

/** This till's sync state, and the mutations that the server rejected. */
export default function SyncPage() {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const sync = usePageStatus();
	const till = useTill();
	const [isBusy, setBusy] = useState(false);
	const when = sync.lastSyncAt
		? format.moment(sync.lastSyncAt)
		: say("sync.never");
	return (
		<Stack className="page" component="section">
			<Title order={1} size="h2">
				{say("app.sync")}
			</Title>
			<ConnectToServer />
			{till?.mode !== "alone" && (
				<Card withBorder>
					<Title order={2} size="h4" mb="xs">
						{say("join.shopServer")}
					</Title>
					{till && sync.paused && (
						<Alert color="orange" mb="sm" role="alert">
							{say(`join.paused.${sync.paused}`)}
						</Alert>
					)}
					<Group justify="space-between">
						<Stack gap={4}>
							<Group gap="xs">
								<Badge color={sync.isOnline ? "leaf" : "gray"} tt="none">
									{say(sync.isOnline ? "sync.online" : "sync.offline")}
								</Badge>
								{till && <Text>{till.server}</Text>}
								{sync.pending > 0 && (
									<Text>{say("sync.waiting", { count: sync.pending })}</Text>
								)}
							</Group>
							<Text>{say("sync.last", { when })}</Text>
							{sync.prefix && (
								<Text c="dimmed">
									{say("sync.device")}:{" "}
									{say("sync.prefix", { prefix: sync.prefix })}
								</Text>
							)}
						</Stack>
						<Button
							size="md"
							loading={isBusy}
							onClick={async () => {
								setBusy(true);
								await shop.tryNow();
								setBusy(false);
							}}
						>
							{say("sync.now")}
						</Button>
					</Group>
					{!isTillsWindow && (
						<Text size="sm" c="dimmed" mt="sm">
							{keptHow(sync, say)}
						</Text>
					)}
				</Card>
			)}
			<Pack />
			<TillSwitch />
			{till?.mode !== "alone" && <EndOfDay />}
			{sync.rejected.length === 0 ? (
				<Text c="dimmed">{say("sync.nothing")}</Text>
			) : (
				sync.rejected.map((entry) => <Refused key={entry.id} entry={entry} />)
			)}
		</Stack>
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
		<Card withBorder component="section">
			<Text mb="sm">{say("sync.packLead")}</Text>
			{whyNot}
			<Group>
				<Button
					variant="default"
					size="md"
					loading={isBusy}
					onClick={() =>
						attempt(async () => download(await shop.pack(), "shop.tar"))
					}
				>
					{say("sync.pack")}
				</Button>
			</Group>
		</Card>
	);
}

function download(file: Blob, name: string): void {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(file);
	link.download = name;
	link.click();
	// The download has started by then.
	setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function Refused({ entry }: { entry: PageStatus["rejected"][number] }) {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const name = entry.name as keyof MutationArgs;
	return (
		<Alert
			color="red"
			title={`${say(`refused.${name}`)} · ${format.moment(entry.at)}`}
		>
			<Text>
				{say("sync.why")}: {wordsOf(entry.error, say)}
			</Text>
			<Group mt="sm">
				<Button onClick={() => shop.retry(entry.id)}>
					{say("sync.retry")}
				</Button>
				<Button
					variant="default"
					onClick={() => {
						void shop
							.discard(entry.id)
							.then(() =>
								offerUndo(say("sync.discarded"), () => shop.restore(entry.id)),
							);
					}}
				>
					{say("sync.discard")}
				</Button>
			</Group>
		</Alert>
	);
}
