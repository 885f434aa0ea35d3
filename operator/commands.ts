import type { Command } from './command.ts'
import { catalogueCommands } from './commands/catalogue.ts'
import { auditCommands } from './commands/audit.ts'
import { conformanceCommands } from './commands/conformance.ts'
import { customerCommands } from './commands/customers.ts'
import { errorCommands } from './commands/errors.ts'
import { figureCommands } from './commands/figures.ts'
import { orderCommands } from './commands/orders.ts'
import { portCommands } from './commands/ports.ts'
import { disputeCommands } from './commands/disputes.ts'
import { reconcileCommands } from './commands/reconcile.ts'
import { refusedPaymentCommands } from './commands/refused-payments.ts'
import { simCommands } from './commands/sims.ts'
import { staffCommands } from './commands/staff.ts'
import { taskCommands } from './commands/tasks.ts'
import { tokenCommands } from './commands/tokens.ts'
import { voucherCommands } from './commands/vouchers.ts'

export const commands: readonly Command[] = [
  ...customerCommands,
  ...orderCommands,
  ...portCommands,
  ...disputeCommands,
  ...reconcileCommands,
  ...taskCommands,
  ...catalogueCommands,
  ...simCommands,
  ...voucherCommands,
  ...refusedPaymentCommands,
  ...auditCommands,
  ...errorCommands,
  ...figureCommands,
  ...tokenCommands,
  ...staffCommands,
  ...conformanceCommands,
]
