import { serveThreadCalls } from '#kit/server/worker-thread.ts'
import { loadPdfLibrary } from '#kit/server/pdf.ts'
import type { Invoice } from '../invoices.contract.ts'
import { createInvoicePdf, type PdfStyle } from './invoice-pdf.ts'

export type PdfRequest = { invoice: Invoice; look: PdfStyle }

// Load the library before the first request.
await loadPdfLibrary()
serveThreadCalls(({ invoice, look }: PdfRequest): Promise<Uint8Array> => createInvoicePdf(invoice, look))
