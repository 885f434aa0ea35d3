import { answerOnThread } from '#kit/server/own-thread.ts'
import { readPdfLibrary } from '#kit/server/pdf.ts'
import type { Invoice } from '../invoices.contract.ts'
import { invoicePdf, type Look } from './invoice-pdf.ts'

export type Drawing = { invoice: Invoice; look: Look }

// Load the library before the first request.
await readPdfLibrary()
answerOnThread(({ invoice, look }: Drawing): Promise<Uint8Array> => invoicePdf(invoice, look))
