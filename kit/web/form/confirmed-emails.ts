import { readDraft, writeDraft } from './drafts.ts'

const draftKey = 'confirmed-emails'
const maxStored = 20

// The storage outlasts a reload of the page, but a browser can block it. Nobody may be asked twice because of that.
const inMemory = new Set<string>()

const readStored = (): string[] => readDraft(draftKey, { emails: '' }, []).emails?.split(' ') ?? []

export const isConfirmedEmail = (email: string): boolean => inMemory.has(email) || readStored().includes(email)

/** Remembers, in this tab, that a person has said that this address is right. */
export function rememberConfirmedEmail(email: string): void {
  inMemory.add(email)
  writeDraft(draftKey, { emails: [...readStored(), email].slice(-maxStored).join(' ') }, [])
}
