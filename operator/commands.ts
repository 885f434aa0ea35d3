import type { Command } from './command.ts'
import { catalogueCommands } from './commands/catalogue.ts'
import { errorCommands } from './commands/errors.ts'
import { orderCommands } from './commands/orders.ts'
import { portCommands } from './commands/ports.ts'
import { refusedPaymentCommands } from './commands/refused-payments.ts'
import { taskCommands } from './commands/tasks.ts'
import { tokenCommands } from './commands/tokens.ts'

/** All that the tool can do, in the order in which its help tells it. */
export const commands: readonly Command[] = [
  ...orderCommands,
  ...portCommands,
  ...taskCommands,
  ...catalogueCommands,
  ...refusedPaymentCommands,
  ...errorCommands,
  ...tokenCommands,
]
