import type { Invoice } from '../invoices.contract.ts'
import { createWorkerThread } from '#kit/server/worker-thread.ts'
import type { PdfRequest } from './invoice-pdf.thread.ts'
import type { InvoiceDeps } from './invoices.deps.ts'
import { presentInvoice } from './invoices.present.ts'
import { type Document, findDocument } from './invoices.store.ts'

/** A separate thread creates the PDFs, because they took a sixth of the main thread's time during activations. */
const pdfWorker = createWorkerThread<PdfRequest, Uint8Array>(new URL('./invoice-pdf.thread.ts', import.meta.url))

export const startInvoicePdfWorker = (): void => pdfWorker.begin()

type InvoiceFile = { filename: string; contentType: 'application/pdf'; content: Buffer }

export async function createInvoiceFile(
  { brandName, colours, market }: Pick<InvoiceDeps, 'brandName' | 'colours' | 'market'>,
  document: Document,
): Promise<InvoiceFile> {
  const invoice = presentInvoice(document)
  const content = Buffer.from(await pdfWorker.call({ invoice, look: { brandName, colours, zone: market.zone } }))
  return {
    filename: `${fileNamePrefixes[invoice.document_type]}-${invoice.order_code}.pdf`,
    contentType: 'application/pdf',
    content,
  }
}

const fileNamePrefixes: Record<Invoice['document_type'], string> = { invoice: 'tax-invoice', credit: 'tax-credit-note' }

/**
 * Creates the PDF for an email's `attachment`, which has the form `invoice:<order_code>`.
 * @throws if the document does not exist
 */
export async function createAttachment(deps: InvoiceDeps, ref: string): Promise<InvoiceFile> {
  const orderCode = /^invoice:(\w+)$/.exec(ref)?.[1]
  const document = orderCode && (await findDocument(deps.db, orderCode))
  if (!document) throw new Error(`there is no document ${ref}`)
  return createInvoiceFile(deps, document)
}
