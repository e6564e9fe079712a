import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Bell as BellIcon, X } from "lucide-react";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button, IconButton } from "../components/button.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useFormat } from "../format.ts";
import { type Say, useWords, type Word } from "../words/index.ts";
import "../components/panel.css";

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
	if (code === "pin_locked")
		return { title: say("bell.pinLocked"), message: say("staff.guessed") };
	if (code === "over_limit" || code === "approved")
		return {
			title: say(code === "approved" ? "bell.approved" : "bell.overLimit", {
				name: String(name ?? "–"),
			}),
			message: say("bell.atStake", {
				act: say(`refused.${data.act}` as Word),
				amount: format.money(Number(data.amount)),
			}),
		};
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
	const [isOpen, { open, close }] = useDisclosure();
	return (
		<>
			<IconButton
				label={
					unread.length > 0
						? say("bell.unread", { count: unread.length })
						: say("bell.title")
				}
				className="bell"
				aria-haspopup="dialog"
				onClick={open}
			>
				<BellIcon size={20} aria-hidden />
				{unread.length > 0 && (
					<span className="rail-count">{unread.length}</span>
				)}
			</IconButton>
			{isOpen && (
				<Sheet title={say("bell.title")} onClose={close}>
					{problem}
					{all.length === 0 && <p className="muted">{say("bell.none")}</p>}
					{all.map(({ id, title, message, read, createdAt }) => (
						<div key={id} className="panel-row">
							<div className="grow">
								<div className={read ? undefined : "strong"}>{title}</div>
								<div className="text-s">{message}</div>
								<div className="text-s muted">{format.moment(createdAt)}</div>
							</div>
							<IconButton
								label={`${say("bell.delete")}: ${title}`}
								disabled={isBusy}
								onClick={() =>
									attempt(async () => {
										await ask("DELETE", `/api/notifications/${id}`);
										await refresh();
									})
								}
							>
								<X size={18} aria-hidden />
							</IconButton>
						</div>
					))}
					{unread.length > 0 && (
						<div className="sheet-foot">
							<Button
								size="l"
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
						</div>
					)}
				</Sheet>
			)}
		</>
	);
}
