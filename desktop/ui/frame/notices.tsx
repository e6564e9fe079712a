import { useDisclosure } from "@mantine/hooks";
import { X } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Button, IconButton } from "../components/button.tsx";
import { wordsOf } from "../components/error-message.ts";
import { useShop } from "../session.tsx";
import type { PageStatus } from "../shop/client.ts";
import { usePageStatus, useStatus } from "../shop/use-shop-data.ts";
import { Login } from "../sign-in/login-page.tsx";
import type { Word } from "../words/index.ts";
import { type Say, useWords } from "../words/index.ts";

/** Warnings above every page; selling goes on below them. */
export function Notices() {
	return (
		<>
			<LostNotice />
			<StorageNotice />
			<BuildNotice />
			<SessionNotice />
		</>
	);
}

/** Says what the browser lost, until someone closes the notice. */
function LostNotice() {
	const { say } = useWords();
	const { shop } = useShop();
	const lost = useStatus("lost");
	return (
		lost > 0 && (
			<Notice
				tone="danger"
				role="alert"
				text={say("storage.lost", { count: lost })}
			>
				<IconButton
					label={say("app.close")}
					onClick={() => void shop.forgetLost()}
				>
					<X size={20} aria-hidden />
				</IconButton>
			</Notice>
		)
	);
}

/** The shop's files can't be opened, or the browser can't save them. */
function StorageNotice() {
	const { say } = useWords();
	const standing = usePageStatus();
	const isKept = standing.storage !== "memory";
	const isAtRisk = !isKept && standing.pending > 0;
	useEffect(() => {
		if (!isAtRisk) return;
		const ask = (event: BeforeUnloadEvent) => event.preventDefault();
		addEventListener("beforeunload", ask);
		return () => removeEventListener("beforeunload", ask);
	}, [isAtRisk]);
	const { problem, storageError } = standing;
	if (!problem && !storageError && isKept) return null;
	return (
		<Notice
			tone={problem || !isKept ? "danger" : "attention"}
			role="alert"
			text={problem ? problemOf(problem, say) : troubleOf(standing, say)}
		>
			{isHelpedByReload(standing) && <Reload />}
		</Notice>
	);
}

const mended = ["newer_database", "storage_full", "storage_busy"];

/** Whether a reload helps, after a person has fixed the cause or the server is back. */
function isHelpedByReload({
	problem,
	storageError,
	storage,
}: PageStatus): boolean {
	if (problem) return problem.code === "unreachable";
	return storage === "outbox" && mended.includes(storageError?.code ?? "");
}

function problemOf(
	problem: NonNullable<PageStatus["problem"]>,
	say: Say,
): string {
	const { code } = problem;
	if (code === "storage_busy") return say("storage.silent");
	if (code === "unreachable") return say("storage.missing");
	return say("storage.closed", { why: wordsOf(problem, say) });
}

function troubleOf({ storageError, storage }: PageStatus, say: Say): string {
	const what = say(wordOf(storageError));
	if (storage === "disk") return what;
	const goOn = say(storage === "outbox" ? "storage.unsent" : "storage.nothing");
	return `${what} ${goOn}`;
}

function wordOf(storageError: PageStatus["storageError"]): Word {
	switch (storageError?.code) {
		case undefined:
			return "storage.none";
		case "newer_database":
			return "storage.newer";
		case "storage_full":
			return "storage.full";
		case "storage_busy":
			return "storage.busy";
		default:
			return "storage.broken";
	}
}

/** A newer build is available; this page still works. */
function BuildNotice() {
	const { say } = useWords();
	const isOutdated = useStatus("isOutdated");
	return (
		isOutdated && (
			<Notice tone="attention" role="status" text={say("app.outdated")}>
				<Reload />
			</Notice>
		)
	);
}

/** An ended session stops sending, never selling: signing in can wait. */
function SessionNotice() {
	const { say } = useWords();
	const { isEnded, other, signedIn, adopt } = useShop();
	const [isOpen, { open, close }] = useDisclosure();
	if (!isEnded) return null;
	return (
		<>
			<Notice
				tone="attention"
				role="status"
				text={
					other
						? say("login.otherShop", { name: other.user.name })
						: say("login.expired")
				}
			>
				{other && (
					<Button size="s" onClick={() => adopt(other)}>
						{say("login.goToOther")}
					</Button>
				)}
				<Button size="s" onClick={open}>
					{say("login.submit")}
				</Button>
			</Notice>
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

function Reload() {
	const { say } = useWords();
	return (
		<Button size="s" onClick={() => location.reload()}>
			{say("app.reload")}
		</Button>
	);
}

/** Says what is wrong and what to do about it. */
function Notice({
	tone,
	role,
	text,
	children,
}: {
	tone: "danger" | "attention";
	role: "alert" | "status";
	text: string;
	children: ReactNode;
}) {
	return (
		<div className={`notice notice-${tone}`} role={role}>
			{text}
			<div className="row-flex">{children}</div>
		</div>
	);
}
