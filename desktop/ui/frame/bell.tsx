import {
	ActionIcon,
	Button,
	Group,
	Indicator,
	Popover,
	ScrollArea,
	Stack,
	Text,
} from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Bell as BellIcon, X } from "lucide-react";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { useFormat } from "../format.ts";
import { type Say, useWords } from "../words/index.ts";

interface Notification {
	id: string;
	title: string;
	message: string;
	data: Record<string, unknown>;
	read: boolean;
	createdAt: string;
}

const key = ["notifications"];

/** Words what the server itself notifies of; notifications of other programs stay as they are. */
function wordsOf(
	{ title, message, data }: Notification,
	say: Say,
	format: ReturnType<typeof useFormat>,
): Pick<Notification, "title" | "message"> {
	const { code, name, quantity, lowStock } = data;
	if (code !== "low_stock") return { title, message };
	return {
		title: say("bell.lowStock", { name: String(name) }),
		message: say("bell.lowStockLeft", {
			quantity: format.quantity(Number(quantity)),
			threshold: format.quantity(Number(lowStock)),
		}),
	};
}

/** This user's notifications, with the number of unread ones. */
export function Bell() {
	const { say } = useWords();
	const format = useFormat();
	const queries = useQueryClient();
	const { attempt, problem, isBusy } = useAttempt();
	const { data } = useQuery({
		queryKey: key,
		queryFn: () =>
			ask<{ notifications: Notification[] }>("GET", "/api/notifications"),
		refetchInterval: 60_000,
	});
	const all = (data?.notifications ?? []).map((one) => ({
		...one,
		...wordsOf(one, say, format),
	}));
	const unread = all.filter(({ read }) => !read);
	const refresh = () => queries.invalidateQueries({ queryKey: key });
	return (
		<Popover position="right-end" width={320} withArrow trapFocus>
			<Indicator
				disabled={unread.length === 0}
				label={unread.length}
				size={18}
				color="orange"
				offset={8}
			>
				<Popover.Target>
					<ActionIcon
						size={44}
						variant="subtle"
						color="gray"
						aria-label={
							unread.length > 0
								? say("bell.unread", { count: unread.length })
								: say("bell.title")
						}
					>
						<BellIcon size={20} />
					</ActionIcon>
				</Popover.Target>
			</Indicator>
			<Popover.Dropdown>
				<Group justify="space-between" mb="xs">
					<Text fw={700}>{say("bell.title")}</Text>
					{unread.length > 0 && (
						<Button
							variant="subtle"
							h={44}
							size="sm"
							disabled={isBusy}
							onClick={() =>
								attempt(async () => {
									const ids = unread.map(({ id }) => id);
									await ask("PATCH", "/api/notifications", { ids });
									await refresh();
								})
							}
						>
							{say("bell.readAll")}
						</Button>
					)}
				</Group>
				{problem}
				{all.length === 0 ? (
					<Text c="dimmed">{say("bell.none")}</Text>
				) : (
					<ScrollArea.Autosize mah={400}>
						<Stack gap="xs">
							{all.map(({ id, title, message, read, createdAt }) => (
								<Group
									key={id}
									wrap="nowrap"
									align="flex-start"
									justify="space-between"
								>
									<div>
										<Text fw={read ? 400 : 700}>{title}</Text>
										<Text size="sm">{message}</Text>
										<Text size="xs" c="dimmed">
											{format.moment(createdAt)}
										</Text>
									</div>
									<ActionIcon
										size={44}
										variant="subtle"
										color="gray"
										aria-label={`${say("bell.delete")}: ${title}`}
										disabled={isBusy}
										onClick={() =>
											attempt(async () => {
												await ask("DELETE", `/api/notifications/${id}`);
												await refresh();
											})
										}
									>
										<X size={16} />
									</ActionIcon>
								</Group>
							))}
						</Stack>
					</ScrollArea.Autosize>
				)}
			</Popover.Dropdown>
		</Popover>
	);
}
