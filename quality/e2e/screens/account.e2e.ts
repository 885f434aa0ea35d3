import { accountScreens } from './account.screens.ts'
import { showAll } from './show.ts'

showAll('account', accountScreens)
