const registered = new Map();

/** Makes the error of a reply. */
export const faultOf = (code, details) => new (registered.get(code) ?? GlassError)(code, details);

export class GlassError extends Error {
	constructor(code, details = {}) {
		super(`glasshouse: ${code}`);
		this.name = new.target.name;
		this.code = code;
		this.details = details;
	}
	static register(code, type) {
		registered.set(code, type);
	}
}

export function isFault(error, what) {
	return error instanceof GlassError && error.code.endsWith(`.${what}`);
}

export async function* all(browse, request) {
	for (let after = request.after; ; ) {
		const page = await browse(after === undefined ? request : { ...request, after });
		yield* page.items;
		if (page.next === undefined) {
			return;
		}
		after = page.next;
	}
}

export async function until(look, { every, most = Infinity, orGone = false } = {}, usual) {
	for (const start = Date.now(); ; ) {
		try {
			const thing = await look();
			if (thing.state === 'steady') {
				return thing;
			}
		} catch (error) {
			if (orGone && isFault(error, 'gone')) {
				return undefined;
			}
			throw error;
		}
		if (Date.now() - start + (every ?? usual) > most) {
			throw new GlassError('late');
		}
		await new Promise((wake) => setTimeout(wake, every ?? usual));
	}
}
