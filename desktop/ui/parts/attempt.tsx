import { Alert } from "@mantine/core";
import { type ReactNode, useState } from "react";

/** Does something, and shows why it could not be done until it is tried again. */
export function useAttempt(): {
	attempt(work: () => Promise<unknown>): Promise<boolean>;
	problem: ReactNode;
	isBusy: boolean;
} {
	const [message, setMessage] = useState<string>();
	const [isBusy, setBusy] = useState(false);
	return {
		isBusy,
		problem: message && (
			<Alert color="red" role="alert" mb="sm">
				{message}
			</Alert>
		),
		async attempt(work) {
			setMessage(undefined);
			setBusy(true);
			try {
				await work();
				return true;
			} catch (error) {
				setMessage((error as Error).message);
				return false;
			} finally {
				setBusy(false);
			}
		},
	};
}
