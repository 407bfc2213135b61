import { Chandlery } from '@wend/tallow/chandlery';

export function branches(clock) {
	const family = new Chandlery({ clock, burn: 30 });
	const east = family.add('east');
	const west = family.add('west', { burn: 100 });
	east.light('key', { by: 'ada' });
	clock.turn(10);
	const key = family.carry('key', 'east', 'west').trim();
	west.light('map');
	west.light('pin', { burn: 5 });
	return { left: key.left, lent: west.names() };
}
