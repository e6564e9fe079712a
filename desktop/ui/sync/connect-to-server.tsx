import { Button, Card, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useShop } from "../session.tsx";
import { untilJoined, useTill } from "../shop/till.ts";
import { useWords } from "../words/index.ts";
import { ServerForm } from "./server-form.tsx";

/** Moves a shop without a server to a server. */
export function ConnectToServer() {
	const { say } = useWords();
	const { session, signOut } = useShop();
	const till = useTill();
	const [isOpen, setOpen] = useState(false);
	if (till?.mode !== "alone" || session.role !== "OWNER") return null;
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
					// From now on people sign in with their accounts on the server.
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
