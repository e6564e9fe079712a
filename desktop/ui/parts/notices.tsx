import { Alert, Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useEffect } from "react";
import { Login } from "../pages/login.tsx";
import { useShop } from "../session.tsx";
import { useStanding } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** Warnings that stand over every page while selling goes on. */
export function Notices() {
	return (
		<>
			<StorageNotice />
			<SessionNotice />
		</>
	);
}

function StorageNotice() {
	const { say } = useWords();
	const { isLasting, pending } = useStanding();
	const isAtRisk = !isLasting && pending > 0;
	useEffect(() => {
		if (!isAtRisk) return;
		const ask = (event: BeforeUnloadEvent) => event.preventDefault();
		addEventListener("beforeunload", ask);
		return () => removeEventListener("beforeunload", ask);
	}, [isAtRisk]);
	return (
		!isLasting && (
			<Alert color="red" role="alert" radius={0} p="xs">
				{say("sync.memory")}
			</Alert>
		)
	);
}

/** An ended session stops the sending, never the selling: signing in can wait. */
function SessionNotice() {
	const { say } = useWords();
	const { isEnded, other, signedIn, adopt } = useShop();
	const [isOpen, { open, close }] = useDisclosure();
	if (!isEnded) return null;
	return (
		<>
			<Alert color="yellow" role="status" radius={0} p="xs">
				<Group justify="space-between" gap="xs">
					{other
						? say("login.otherShop", { name: other.user.name })
						: say("login.expired")}
					<Group gap="xs">
						{other && (
							<Button variant="default" h={44} onClick={() => adopt(other)}>
								{say("login.goToOther")}
							</Button>
						)}
						<Button variant="default" h={44} onClick={open}>
							{say("login.submit")}
						</Button>
					</Group>
				</Group>
			</Alert>
			{isOpen && (
				<Login
					onDone={async () => {
						await signedIn();
						close();
					}}
					onClose={close}
				/>
			)}
		</>
	);
}
