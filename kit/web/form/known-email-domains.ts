const listDomains = (text: string): string[] => text.trim().split(/\s+/)

/** Mailbox providers with many customers in New Zealand and Australia. An address that is nearly at one of these is questioned. */
export const suggestedEmailDomains = listDomains(`
  gmail.com googlemail.com icloud.com yahoo.com hotmail.com outlook.com windowslive.com
  protonmail.com proton.me fastmail.com rediffmail.com btinternet.com

  xtra.co.nz outlook.co.nz hotmail.co.nz yahoo.co.nz slingshot.co.nz orcon.net.nz vodafone.co.nz
  paradise.net.nz clear.net.nz inspire.net.nz actrix.co.nz

  bigpond.com bigpond.net.au bigpond.com.au optusnet.com.au iinet.net.au outlook.com.au
  hotmail.com.au yahoo.com.au live.com.au westnet.com.au ozemail.com.au internode.on.net
`)

/** Real domains that are one letter away from a suggested one. */
const similarEmailDomains = listDomains(`
  mail.com email.com ymail.com proton.com yahoo.com.ar outlook.com.ar hotmail.com.ar live.com.ar
`)

export const knownEmailDomains: ReadonlySet<string> = new Set([...suggestedEmailDomains, ...similarEmailDomains])

/** Providers whose mailboxes all end in `.com`. */
export const comOnlyProviders: ReadonlySet<string> = new Set(['gmail', 'googlemail', 'icloud'])

const mistypedCom = listDomains('con cmo ocm vom xom cim cpm clm comm coom ccom copm coim comn')

/** Endings that are no top-level domain, with the one that was probably meant. */
export const mistypedEndings: ReadonlyMap<string, string> = new Map([
  ...mistypedCom.map((ending): [string, string] => [ending, 'com']),
  ['nett', 'net'],
  ['nte', 'net'],
  ['ogr', 'org'],
  ['orgg', 'org'],
  ['nx', 'nz'],
  ['nzz', 'nz'],
  ['nzl', 'nz'],
  ['auu', 'au'],
])
