import { troubleScreens } from './trouble.screens.ts'
import { showAll } from './show.ts'

showAll('trouble', troubleScreens)
