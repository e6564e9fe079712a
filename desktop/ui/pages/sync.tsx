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
import { useFormat } from "../format.ts";
import { Connect } from "../parts/connect.tsx";
import { DayClose } from "../parts/day-close.tsx";
import { TillMark } from "../parts/till-mark.tsx";
import { useUndo } from "../parts/undo.tsx";
import { useShop } from "../session.tsx";
import type { PageStanding } from "../shop/client.ts";
import { isTillsWindow, useTill } from "../shop/till.ts";
import { useStanding } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** How this till stands to the server, and what the server would not take. */
export default function SyncPage() {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const sync = useStanding();
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
			<Connect />
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
							{say(sync.isLasting ? "sync.kept" : "sync.memory")}{" "}
							{sync.isLasting && !sync.isPersisted && say("sync.notPersisted")}
						</Text>
					)}
				</Card>
			)}
			<TillMark />
			{till?.mode !== "alone" && <DayClose />}
			{sync.rejected.length === 0 ? (
				<Text c="dimmed">{say("sync.nothing")}</Text>
			) : (
				sync.rejected.map((entry) => <Refused key={entry.id} entry={entry} />)
			)}
		</Stack>
	);
}

function Refused({ entry }: { entry: PageStanding["rejected"][number] }) {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const offerUndo = useUndo();
	const name = entry.name as keyof MutationArgs;
	return (
		<Alert
			color="red"
			title={`${say(`refused.${name}`)} · ${format.moment(entry.at)}`}
		>
			<Text>
				{say("sync.why")}: {entry.error.message}
				{entry.error.field ? ` (${entry.error.field})` : ""}
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
