/** Who wants to hear of a business's head, by business. */
export function headListeners() {
	const listenersByBusiness = new Map<string, Set<(head: number) => void>>();
	const toldByBusiness = new Map<string, number>();
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
		/** @returns false where it was the last thing told */
		tell(businessId: string, head: number): boolean {
			if (toldByBusiness.get(businessId) === head) return false;
			toldByBusiness.set(businessId, head);
			for (const listener of listenersByBusiness.get(businessId) ?? [])
				listener(head);
			return true;
		},
		listenedTo: () => [...listenersByBusiness.keys()],
	};
}
