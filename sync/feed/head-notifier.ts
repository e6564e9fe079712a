/** Notifies a business's listeners of its new head, once per head. */
export function openHeadNotifier() {
	const listenersByBusiness = new Map<string, Set<(head: number) => void>>();
	const notifiedByBusiness = new Map<string, number>();
	return {
		listen(businessId: string, listener: (head: number) => void): () => void {
			const listeners = listenersByBusiness.get(businessId) ?? new Set();
			listenersByBusiness.set(businessId, listeners);
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
				if (listeners.size === 0) listenersByBusiness.delete(businessId);
			};
		},
		/** @returns false if this head was the last one notified */
		notify(businessId: string, head: number): boolean {
			if (notifiedByBusiness.get(businessId) === head) return false;
			notifiedByBusiness.set(businessId, head);
			for (const listener of listenersByBusiness.get(businessId) ?? [])
				listener(head);
			return true;
		},
		listenedTo: () => [...listenersByBusiness.keys()],
	};
}
