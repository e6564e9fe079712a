import { useQueryClient } from "@tanstack/react-query";
import {
	Activity,
	createContext,
	type ReactNode,
	useCallback,
	useContext,
	useEffect,
	useMemo,
	useRef,
	useState,
} from "react";
import { type Role, roles } from "../../sync/entities/entity.ts";
import { lowerRole } from "../../sync/entities/permission.ts";
import type { Cashier } from "../../sync/protocol/till-api.ts";
import {
	ApiError,
	ask,
	nameBusiness,
	refuseSession,
	whenSessionRefused,
} from "./api.ts";
import { withdrawUndo } from "./components/undo.tsx";
import { cameWithoutSession } from "./sent-page.ts";
import { askAhead } from "./shop/ask-ahead.ts";
import { type ShopClient, shopKey } from "./shop/client.ts";
import { openShopClient } from "./shop/shop-client.ts";
import { type ApprovalQuestion, withApprovals } from "./staff/ask-approval.ts";
import { forgetCashier, useCashier } from "./staff/cashier.ts";
import { localValues } from "./stored-values.ts";
import { useWords } from "./words/index.ts";

export interface User {
	id: string;
	email: string;
	name: string;
	role: "admin" | "user";
	businessId: string | null;
}

/** The signed-in user and their role in their business. */
export interface Session {
	user: User;
	role: Role | null;
}

const stored = "counterfoil-session";

/** The last session in this browser: the till opens with it offline. */
function remembered(): Session | undefined {
	const text = localValues.read(stored);
	return text === null ? undefined : (JSON.parse(text) as Session);
}

export type SessionState =
	| { kind: "loading" }
	| { kind: "nobody" }
	| {
			kind: "somebody";
			session: Session;
			/** The server accepts nothing from this page until a member of its shop signs in. */
			isEnded: boolean;
			/** The session of another shop that this browser has signed in to since. */
			other?: Session | undefined;
	  };

/** Messages between the windows of this browser. */
type Message = "signed in" | "signed out";
const channel = new BroadcastChannel("counterfoil-session");
/** Check an ended session again now and then: a server whose clock was wrong may accept it again. */
const recheckMs = 60_000;
/** The role of an administrator, who has none in their shop. */
const leastRole = roles[roles.length - 1] as Role;

/** Asks the server who is signed in; offline, uses the last session. */
export function useSessionState() {
	const queries = useQueryClient();
	const [state, setState] = useState<SessionState>({ kind: "loading" });
	const latest = useRef(state);

	function show(next: SessionState): void {
		const before = latest.current;
		latest.current = next;
		const [was, is] = [before, next].map((one) =>
			one.kind === "somebody" ? one.session.user : undefined,
		);
		// The next user must not see the last user's data.
		if (was && was.id !== is?.id) {
			queries.clear();
			withdrawUndo();
		}
		nameBusiness(is?.businessId ?? null);
		setState(next);
	}

	function adopt(session: Session): void {
		localValues.write(stored, JSON.stringify(session));
		show({ kind: "somebody", session, isEnded: false });
	}

	/** Opens the last shop at once; the server checks its session as soon as it can be reached. */
	async function open(): Promise<void> {
		const session = remembered();
		if (session?.user.businessId)
			show({ kind: "somebody", session, isEnded: false });
		if (!session && cameWithoutSession) show({ kind: "nobody" });
		else await readSession();
	}

	/** Adopts the browser's session, after the page has opened or someone signed in on it. */
	async function readSession(): Promise<void> {
		try {
			const anyShops = { headers: {} };
			adopt(await ask("GET", "/api/session", undefined, anyShops));
		} catch (error) {
			const session = remembered();
			// Other failures say nothing about the session.
			const isEnded = error instanceof ApiError && error.isSessions;
			show(
				session ? { kind: "somebody", session, isEnded } : { kind: "nobody" },
			);
		}
	}

	async function signedIn(): Promise<void> {
		await readSession();
		channel.postMessage("signed in" satisfies Message);
	}

	/** Adopts the browser's session if it belongs to this page's shop; otherwise the page stops syncing. */
	async function recheckSession(): Promise<void> {
		const now = latest.current;
		if (now.kind !== "somebody") return readSession();
		const found = await ask<Session>("GET", "/api/session").catch((error) => {
			if (error instanceof ApiError) return undefined;
			throw error;
		});
		if (!found || latest.current !== now) return;
		const isSame = found.user.businessId === now.session.user.businessId;
		if (isSame) adopt(found);
		else show({ ...now, isEnded: true, other: found });
	}

	async function signOut(): Promise<void> {
		await ask("POST", "/logout");
		leave();
		channel.postMessage("signed out" satisfies Message);
	}

	function leave(): void {
		localValues.remove(stored);
		show({ kind: "nobody" });
	}

	// biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the app opens.
	useEffect(() => {
		void open();
		channel.onmessage = ({ data }: MessageEvent<Message>) => {
			if (data === "signed out") leave();
			else void recheckSession();
		};
		return whenSessionRefused((error) => {
			const now = latest.current;
			if (now.kind !== "somebody") return;
			if (error.status !== 401) void recheckSession();
			else if (!now.isEnded) show({ ...now, isEnded: true });
		});
	}, []);

	const isEnded = state.kind === "somebody" && state.isEnded;
	// biome-ignore lint/correctness/useExhaustiveDependencies: runs while the session is ended.
	useEffect(() => {
		if (!isEnded) return;
		const timer = setInterval(() => void recheckSession(), recheckMs);
		return () => clearInterval(timer);
	}, [isEnded]);

	/** Current at any moment, before the children render again. */
	const isSignedOut = useCallback(() => latest.current.kind === "nobody", []);
	return { state, signedIn, signOut, adopt, isSignedOut };
}

interface ShopContext {
	shop: ShopClient;
	/** The role is what may be done on screen: the lower one, if a PIN has switched to another member. */
	session: Session;
	/** The member to whom a PIN has switched this window. */
	cashier: Cashier | undefined;
	/** Makes another member this window's cashier; undefined is the signed-in one. */
	sellAs(cashier: Cashier | undefined): void;
	/** The approval that a mutation waits for. */
	question: ApprovalQuestion | undefined;
	isEnded: boolean;
	/** The session of another shop that this browser has signed in to since. */
	other: Session | undefined;
	/** Called after a sign-in on this page. */
	signedIn(): Promise<void>;
	/** Switches to another session of this browser. */
	adopt(session: Session): void;
	signOut(): Promise<void>;
}
/** Exported for the style guide, whose shop is made up. */
export const Context = createContext<ShopContext | undefined>(undefined);

/**
 * Opens the shop on this device for the signed-in user and provides it to the children. They are drawn out of sight
 * meanwhile, and what they ask for waits until the shop is open.
 */
export function ShopProvider({
	isSignedOut,
	fallback,
	children,
	...context
}: Omit<ShopContext, "shop" | "cashier" | "sellAs" | "question"> & {
	isSignedOut(): boolean;
	fallback: ReactNode;
	children: ReactNode;
}) {
	const { session, isEnded } = context;
	const queries = useQueryClient();
	const { say } = useWords();
	const [shop, setShop] = useState<ShopClient>();
	const [isOpen, setIsOpen] = useState(false);
	const { businessId, id: userId, name } = session.user;
	const member = useRef({ userId, name, role: leastRole });
	member.current = { userId, name, role: session.role ?? leastRole };
	const [cashier, sellAs] = useCashier(session.user);
	const by = useRef(cashier?.id);
	by.current = cashier?.id;
	useEffect(() => {
		if (businessId === null) return;
		const { shop, opened } = openShopClient({
			businessId,
			member: () => member.current,
			cashier: () => by.current,
			onPaused: refuseSession,
		});
		setShop(shop);
		void opened.then(() => {
			askAhead(queries);
			setIsOpen(true);
		});
		return () => {
			const hasSignedOut = isSignedOut();
			if (hasSignedOut) forgetCashier(businessId);
			shop.close(hasSignedOut);
		};
	}, [businessId, isSignedOut, queries]);
	useEffect(() => {
		// A new sign-in ends the pause.
		if (isOpen && !isEnded) void shop?.tryNow();
	}, [shop, isOpen, isEnded]);
	useEffect(
		() =>
			shop?.onRows(
				() => void queries.invalidateQueries({ queryKey: [shopKey] }),
			),
		[shop, queries],
	);
	const [question, setQuestion] = useState<ApprovalQuestion>();
	const asking = useMemo(
		() => shop && withApprovals(shop, setQuestion),
		[shop],
	);
	if (!shop || !asking) return fallback;

	/** Sends unsent mutations first, as far as possible. @throws Error if any would be lost */
	async function signOut({ standing, tryNow }: ShopClient): Promise<void> {
		if (standing().pending > 0) await tryNow().catch(console.debug);
		const { storage, pending, rejected } = standing();
		const count = pending + rejected.length;
		if (storage === "memory" && count > 0)
			throw new Error(say("app.wouldBeLost", { count }));
		await context.signOut();
	}

	const role =
		cashier && session.role
			? lowerRole(session.role, cashier.role)
			: session.role;
	return (
		<Context
			value={{
				...{ ...context, shop: asking, cashier, sellAs, question },
				session: { ...session, role },
				signOut: () => signOut(shop),
			}}
		>
			{!isOpen && fallback}
			<Activity mode={isOpen ? "visible" : "hidden"}>{children}</Activity>
		</Context>
	);
}

export function useShop(): ShopContext {
	const context = useContext(Context);
	if (!context) throw new Error("useShop needs a ShopProvider");
	return context;
}

export function useMayManage(): boolean {
	const { role } = useShop().session;
	return role === "OWNER" || role === "MANAGER";
}
