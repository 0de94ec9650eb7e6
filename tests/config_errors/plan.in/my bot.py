# A bot that only stands in a plan.
