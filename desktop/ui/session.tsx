import {
	createContext,
	type ReactNode,
	useContext,
	useEffect,
	useRef,
	useState,
	useSyncExternalStore,
} from "react";
import type { Role } from "../../sync/entity.ts";
import { ApiError, ask, whenUnauthorized } from "./api.ts";
import { localValues } from "./kept-values.ts";
import {
	type LocalShop,
	type LocalState,
	openLocalShop,
} from "./local/shop.ts";

export interface User {
	id: string;
	email: string;
	name: string;
	role: "admin" | "user";
	businessId: string | null;
}

/** Who is signed in, and what they may do in their business. */
export interface Session {
	user: User;
	role: Role | null;
}

const stored = "counterfoil-session";

/** The last one who signed in here: the till opens for them without the network. */
function remembered(): Session | undefined {
	const text = localValues.read(stored);
	return text === null ? undefined : (JSON.parse(text) as Session);
}

export type SessionState =
	| { kind: "loading" }
	| { kind: "nobody" }
	| { kind: "somebody"; session: Session; isExpired: boolean };

/** Asks the server who is signed in; without the network, whoever was. */
export function useSessionState() {
	const [state, setState] = useState<SessionState>({ kind: "loading" });

	async function look(): Promise<void> {
		try {
			const session = await ask<Session>("GET", "/api/session");
			localValues.write(stored, JSON.stringify(session));
			setState({ kind: "somebody", session, isExpired: false });
		} catch (error) {
			const session = remembered();
			// Any other failure says nothing of who is signed in.
			const isExpired = error instanceof ApiError && error.status === 401;
			setState(
				session ? { kind: "somebody", session, isExpired } : { kind: "nobody" },
			);
		}
	}

	async function signOut(): Promise<void> {
		await ask("POST", "/logout");
		localValues.remove(stored);
		setState({ kind: "nobody" });
	}

	// biome-ignore lint/correctness/useExhaustiveDependencies: once, when the app opens.
	useEffect(() => {
		void look();
		return whenUnauthorized(() =>
			setState((now) =>
				now.kind === "somebody" ? { ...now, isExpired: true } : now,
			),
		);
	}, []);

	return { state, look, signOut };
}

interface ShopContext {
	shop: LocalShop;
	session: Session;
	signOut(): Promise<void>;
}
const Context = createContext<ShopContext | undefined>(undefined);

/** Opens the local shop of whoever is signed in, for all below. */
export function ShopProvider({
	session,
	isExpired,
	signOut,
	fallback,
	children,
}: {
	session: Session;
	isExpired: boolean;
	signOut(): Promise<void>;
	fallback: ReactNode;
	children: ReactNode;
}) {
	const [shop, setShop] = useState<LocalShop>();
	const { businessId, id } = session.user;
	const userId = useRef(id);
	userId.current = id;
	useEffect(() => {
		if (businessId === null) return;
		let opened: LocalShop | undefined;
		let isGone = false;
		void openLocalShop(businessId, () => userId.current).then((local) => {
			opened = local;
			if (isGone) local.close();
			else setShop(local);
		});
		return () => {
			isGone = true;
			opened?.close();
		};
	}, [businessId]);
	useEffect(() => {
		// A new sign-in ends the pause.
		if (!isExpired) void shop?.sync();
	}, [shop, isExpired]);
	if (!shop) return fallback;
	return <Context value={{ shop, session, signOut }}>{children}</Context>;
}

export function useShop(): ShopContext {
	const context = useContext(Context);
	if (!context) throw new Error("There is no shop here");
	return context;
}

/** The local shop's state, as it changes. */
export function useLocal(): LocalState {
	const { shop } = useShop();
	return useSyncExternalStore(shop.subscribe, shop.state);
}

export function useMayManage(): boolean {
	const { role } = useShop().session;
	return role === "OWNER" || role === "MANAGER";
}
