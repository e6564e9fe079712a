import { Button, Card, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useShop } from "../session.tsx";
import { untilJoined, useTill } from "../shop/till.ts";
import { useWords } from "../words/index.ts";
import { ServerForm } from "./server-form.tsx";

/** A shop that is here alone can be brought to a server, once it has one. */
export function Connect() {
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
