import { handleThreadRequests } from '#kit/server/worker-thread.ts'
import { loadPdfLibrary } from '#kit/server/pdf.ts'
import type { Invoice } from '../invoices.contract.ts'
import { createInvoicePdf, type PdfStyle } from './invoice-pdf.ts'

export type PdfRequest = { invoice: Invoice; look: PdfStyle }

// Load the PDF library before the first request, so that no customer has to wait for it.
await loadPdfLibrary()
handleThreadRequests(({ invoice, look }: PdfRequest): Promise<Uint8Array> => createInvoicePdf(invoice, look))
