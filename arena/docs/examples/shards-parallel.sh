#!/bin/sh
# The shards of a tournament by GNU parallel, from the folder of cup.yaml: as many at once as there are cores.
set -e
parallel arena run cup.yaml --concurrency 1 --shard '{}/4' ::: 0 1 2 3
arena merge cup.shard-*-of-4 -o cup
