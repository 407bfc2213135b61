import { faultOf } from './fault.js';
import { services } from './house.js';

export { GlassError, isFault } from './fault.js';

export function connect({ wire, caller, onExchange, ...defaults }) {
	return services(async (operation, request, options = {}) => {
		const o = { tries: 2, pretend: false, ...defaults, ...options };
		for (let attempt = 1; ; attempt++) {
			const exchange = { operation, request, caller, attempt, pretend: o.pretend, notes: { ...defaults.notes, ...options.notes } };
			onExchange?.(exchange);
			const reply = await wire(exchange);
			if (!reply.fault) {
				return reply.value;
			}
			if (!reply.fault.endsWith('.taken') || attempt >= o.tries) {
				throw faultOf(reply.fault, reply.details);
			}
		}
	});
}
