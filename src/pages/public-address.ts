/** Which addresses belong to the public internet. Everything else is nobody's business but of the network we are in. */
import ipaddr from 'ipaddr.js';

/** An IPv4 address inside an IPv6 one counts as itself; anything unreadable is not public. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  // Teredo, 6to4, NAT64 and the like lead to an IPv4 address that is not looked at: `range` names each of them.
  return ip.range() === 'unicast';
}
