import { Alert, Badge, Button, Card, Group, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../api.ts";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import { type Till, untilJoined, useTill } from "../shop/till.ts";
import { useWords } from "../words/index.ts";
import { useAttempt } from "./attempt.tsx";
import { SecondStep } from "./second-step.tsx";
import { ServerForm } from "./server-form.tsx";

/** How a till stands to the shop's server, and what that would not take; nothing in a browser. */
export function TillServer() {
	const till = useTill();
	if (!till) return null;
	return till.mode === "alone" ? <Connect /> : <Standing till={till} />;
}

function Standing({ till }: { till: Till }) {
	const { say } = useWords();
	const format = useFormat();
	const queries = useQueryClient();
	const { attempt, problem, isBusy } = useAttempt();
	const { rejected, isOnline, paused, pending, server, lastSyncAt } = till;

	async function decide(method: "POST" | "DELETE", id: string): Promise<void> {
		await attempt(() => ask(method, `/api/till/rejected/${id}`));
		await queries.invalidateQueries({ queryKey: ["till"] });
	}

	return (
		<Card withBorder component="section">
			<Title order={2} size="h4" mb="xs">
				{say("join.shopServer")}
			</Title>
			{problem}
			{paused && (
				<Alert color="orange" mb="sm" role="alert">
					{say(`join.paused.${paused}`)}
				</Alert>
			)}
			<Group justify="space-between">
				<div>
					<Group gap="xs">
						<Badge color={isOnline ? "leaf" : "gray"} tt="none">
							{say(isOnline ? "sync.online" : "sync.offline")}
						</Badge>
						<Text>{server}</Text>
					</Group>
					{pending > 0 && (
						<Text>{say("sync.waiting", { count: pending })}</Text>
					)}
					<Text>
						{say("sync.last", {
							when: lastSyncAt ? format.moment(lastSyncAt) : say("sync.never"),
						})}
					</Text>
				</div>
				<Button
					loading={isBusy}
					onClick={() => attempt(() => ask("POST", "/api/till/sync", {}))}
				>
					{say("sync.now")}
				</Button>
			</Group>
			{rejected.map(({ id, name, at, error }) => (
				<Alert
					key={id}
					color="red"
					mt="sm"
					title={`${name} · ${format.moment(at)}`}
				>
					<Text>
						{say("sync.why")}: {error.message}
						{error.field ? ` (${error.field})` : ""}
					</Text>
					<Group mt="sm">
						<Button disabled={isBusy} onClick={() => decide("POST", id)}>
							{say("sync.retry")}
						</Button>
						<SecondStep
							variant="default"
							disabled={isBusy}
							label={say("sync.discard")}
							question={say("sync.discardSure")}
							onConfirm={() => void decide("DELETE", id)}
						/>
					</Group>
				</Alert>
			))}
		</Card>
	);
}

/** A shop that is here alone can be brought to a server, once it has one. */
function Connect() {
	const { say } = useWords();
	const { session, signOut } = useShop();
	const [isOpen, setOpen] = useState(false);
	if (session.role !== "OWNER") return null;
	return (
		<Card withBorder component="section">
			<Title order={2} size="h4">
				{say("join.alone")}
			</Title>
			<Text c="dimmed" mb="sm">
				{say("join.aloneLead")}
			</Text>
			{isOpen ? (
				<ServerForm
					path="/api/till/connect"
					submit={say("join.connect")}
					// Who signs in from now on does so as the server knows them.
					onDone={() => void untilJoined().then(signOut)}
				/>
			) : (
				<Button variant="default" onClick={() => setOpen(true)}>
					{say("join.connect")}
				</Button>
			)}
		</Card>
	);
}
